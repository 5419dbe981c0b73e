// Randomness, set-up, canonical encoding and hashes, written from docs/determinism.md alone, with nothing but the language.
//
//     node tests/kernel/determinism.mjs     checks itself against vectors.json; exit code 1 if anything differs

import { readFileSync } from "node:fs";

const MASK = (1n << 64n) - 1n;
const WORDS = 1n << 64n;

// ---- BLAKE2b (RFC 7693), one call for all the data ----

const IV = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

const rotated = (word, by) => (word >> by) | ((word << (64n - by)) & MASK);
const little = (bytes, start) => bytes.slice(start, start + 8).reduceRight((word, byte) => (word << 8n) | BigInt(byte), 0n);

function compress(state, block, counted, last) {
  const m = Array.from({ length: 16 }, (_, i) => little(block, 8 * i));
  const v = [...state, ...IV];
  v[12] ^= BigInt(counted);
  if (last) v[14] ^= MASK;
  const mix = (a, b, c, d, x, y) => {
    v[a] = (v[a] + v[b] + x) & MASK;
    v[d] = rotated(v[d] ^ v[a], 32n);
    v[c] = (v[c] + v[d]) & MASK;
    v[b] = rotated(v[b] ^ v[c], 24n);
    v[a] = (v[a] + v[b] + y) & MASK;
    v[d] = rotated(v[d] ^ v[a], 16n);
    v[c] = (v[c] + v[d]) & MASK;
    v[b] = rotated(v[b] ^ v[c], 63n);
  };
  for (let round = 0; round < 12; round++) {
    const s = SIGMA[round % 10];
    for (let i = 0; i < 4; i++) mix(i, 4 + i, 8 + i, 12 + i, m[s[2 * i]], m[s[2 * i + 1]]);
    for (let i = 0; i < 4; i++) mix(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4), m[s[8 + 2 * i]], m[s[9 + 2 * i]]);
  }
  return state.map((word, i) => word ^ v[i] ^ v[i + 8]);
}

function blake2b(data, size, key = [], person = []) {
  const parameters = [size, key.length, 1, 1, ...Array(44).fill(0), ...person, ...Array(16 - person.length).fill(0)];
  let state = IV.map((word, i) => word ^ little(parameters, 8 * i));
  const input = key.length ? [...key, ...Array(128 - key.length).fill(0), ...data] : [...data];
  const blocks = Math.max(1, Math.ceil(input.length / 128));
  for (let i = 0; i < blocks; i++) {
    const block = input.slice(128 * i, 128 * (i + 1));
    const counted = 128 * i + block.length;
    while (block.length < 128) block.push(0);
    state = compress(state, block, counted, i === blocks - 1);
  }
  return state.flatMap((word) => Array.from({ length: 8 }, (_, i) => Number((word >> BigInt(8 * i)) & 255n))).slice(0, size);
}

// ---- bytes ----

const ascii = (text) => [...text].map((character) => character.charCodeAt(0));
const hex = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => text.match(/../g).map((pair) => parseInt(pair, 16));
const seedOf = (text) => unhex(text.padStart(64, "0"));
const big64 = (number) => unhex(number.toString(16).padStart(16, "0"));

// ---- streams ----

class Stream {
  constructor(seed, name) {
    Object.assign(this, { seed, name, used: 0, block: [] });
  }

  word() {
    const place = this.used % 8;
    if (place === 0) this.block = blake2b(big64(this.used / 8), 64, this.seed, ascii(this.name));
    this.used += 1;
    return BigInt("0x" + hex(this.block.slice(8 * place, 8 * place + 8)));
  }

  below(bound) {
    const limit = WORDS - (WORDS % BigInt(bound));
    for (;;) {
      const word = this.word();
      if (word < limit) return word % BigInt(bound);
    }
  }

  shuffle(items) {
    for (let last = items.length - 1; last >= 1; last--) {
      const other = Number(this.below(last + 1));
      [items[last], items[other]] = [items[other], items[last]];
    }
    return items;
  }
}

// ---- canonical encoding and what is hashed over it ----

const ESCAPES = { '"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r" };
// one UTF-16 unit after the other, so that surrogate pairs come by themselves
const quotedUnit = (unit) =>
  ESCAPES[unit] ?? (unit >= " " && unit <= "~" ? unit : "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"));
const quoted = (text) => '"' + text.split("").map(quotedUnit).join("") + '"';

function canonical(value) {
  if (typeof value === "string") return quoted(value);
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
  return "{" + Object.keys(value).sort().map((key) => quoted(key) + ":" + canonical(value[key])).join(",") + "}";
}

const digest = (value) => hex(blake2b(ascii(canonical(value)), 32));

function commitment(configuration, seed, nonce) {
  const parts = [ascii("meadow commitment 1"), ascii(canonical(configuration)), seed, nonce];
  return hex(blake2b(parts.flatMap((part) => [...big64(part.length), ...part]), 32));
}

// ---- set-up of Spring Meadow ----

function setUp(content, seats, options, seed) {
  const streams = {};
  const stream = (name) => (streams[name] ??= new Stream(seed, name));
  const box = stream("tiles").shuffle(content.copies.flatMap((copies, kind) => Array(copies).fill(kind)));
  const faces = options.faces.length ? options.faces : deal(content.faces, seats, stream("boards"));
  const first = options.first_seat === -1 ? Number(stream("first seat").below(seats)) : options.first_seat;
  const rocks = { 2: [0, 2], 3: [0, 1, 3], 4: [0, 1, 2, 3] }[seats];
  const mountains = faces.map((face, seat) => ({
    $: "Mountain", face, burrows: BigInt(content.faces[face].burrows), covered: 0, holes: 0, marmots: 0,
    start_rock: rocks[(seat - first + seats) % seats], pins: 0, pieces: [],
  }));
  const draw = (count) => Array.from({ length: count }, () => box.pop());
  const map = draw(25);
  const queue = options.expert ? draw(20) : [];
  const used = Object.fromEntries(Object.entries(streams).map(([name, { used }]) => [name, used]));
  return {
    $: "SpringState", seats, faces: options.faces, streams: { $: "Streams", seed: hex(seed), used },
    meadow_map: map, queue, box: { $: "HiddenPile", items: box, seen: [] },
    stack: [{ $: "MoveOn", seat: first }, { $: "ChoosingTile", seat: first, spaces: content.path }],
    signpost: 0, active: first, turn: 1, idle_turns: 0, expert: options.expert,
    mountains, scorings: [], solo: null, campaign: null,
  };
}

function deal(faces, seats, stream) {
  const boards = stream.shuffle([...new Set(faces.map((face) => face.board))].sort((a, b) => a - b));
  return boards.slice(0, seats).map((board) => {
    const sides = faces.flatMap((face, number) => (face.board === board ? [number] : []));
    return sides[Number(stream.below(sides.length))];
  });
}

// ---- the vectors ----

const vectors = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "ascii"));
let checks = 0;
let failures = 0;
function same(what, mine, theirs) {
  checks += 1;
  if (String(mine) !== String(theirs)) {
    failures += 1;
    console.error(`${what}\n  here   ${mine}\n  vector ${theirs}`);
  }
}

for (const { seed, stream, words } of vectors.words) {
  const mine = new Stream(seedOf(seed), stream);
  same(`words of ${stream}`, words.map(() => hex(big64(mine.word()))), words);
}
for (const { seed, stream, bound, numbers, used } of vectors.below) {
  const mine = new Stream(seedOf(seed), stream);
  same(`numbers below ${bound}`, numbers.map(() => mine.below(BigInt(bound))), numbers);
  same(`words used below ${bound}`, mine.used, used);
}
for (const { seed, stream, length, shuffled, used } of vectors.shuffles) {
  const mine = new Stream(seedOf(seed), stream);
  same(`shuffle of ${length}`, mine.shuffle([...Array(length).keys()]), shuffled);
  same(`words used by a shuffle of ${length}`, mine.used, used);
}
const plain = [
  null,
  [true, false, 0, -1, (1n << 90n) - 1n],
  { b: [], a: {}, B: "", $: "Name", aa: [[1], { x: null }] },
  'quote " back \\ slash / tab \t line \n feed \f return \r bell \x07 back \b nought \x00 delete \x7f',
  "\u00e9 \u20ac \u2028 \u{1f33c}",
];
vectors.encodings.forEach(({ json, blake2b: hash }, i) => {
  same("encoding", canonical(plain[i]), json);
  same("hash", digest(plain[i]), hash);
});
for (const { configuration, seed, nonce, commitment: made } of vectors.commitments) {
  const mine = {
    variant: "spring_meadow", seats: 2, options: { expert: true, faces: ["1A", "2B"], first_seat: -1 },
    pack: "5a".repeat(32), rules_revision: 1,
  };
  same("configuration", canonical(mine), configuration);
  same("commitment", commitment(mine, seedOf(seed), unhex(nonce)), made);
}
for (const { seats, seed, options, state, hash } of vectors.setups) {
  const mine = setUp(vectors.content, seats, options, seedOf(seed));
  same(`set-up for ${seats}`, canonical(mine), state);
  same(`state hash for ${seats}`, digest(mine), hash);
}
console.log(`${checks} checks, ${failures} failures`);
process.exit(failures ? 1 : 0);
