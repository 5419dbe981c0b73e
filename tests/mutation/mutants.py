"""Small changes of a function's source, compiled so that they can take the function's place.

A mutant is a code object. Putting it into the function changes the function for everybody who imported it.
"""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType

Change = Callable[[ast.AST], None]

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
NEUTRAL = {"int": ("0",), "bool": ("False", "True"), "range": ("range(0)",)}
"""What a disabled function returns, by its return annotation; by the annotation's beginning below."""
NEUTRAL_PREFIXES = {"tuple": "()", "list": "[]", "dict": "{}", "Iterator": "iter(())"}


@dataclass(frozen=True)
class Mutant:
    """A changed function: what was changed, the line where, and the code that does it."""

    change: str
    line: int
    code: CodeType


def definition(function: FunctionType) -> ast.FunctionDef:
    """The function's own syntax tree, without decorators, annotations and docstring."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    tree.decorator_list, tree.returns = [], None
    for argument in (*tree.args.args, *tree.args.kwonlyargs):
        argument.annotation = None
    if ast.get_docstring(tree) is not None and len(tree.body) > 1:
        del tree.body[0]
    return tree


def compiled(function: FunctionType, tree: ast.FunctionDef) -> CodeType:
    """The code of a changed definition, in the function's own module."""
    module = ast.fix_missing_locations(ast.Module([ast.parse("from __future__ import annotations").body[0], tree], []))
    scope = dict(function.__globals__)
    exec(compile(module, f"<mutant of {function.__qualname__}>", "exec"), scope)
    code = scope[tree.name].__code__
    assert isinstance(code, CodeType)
    return code


def disabled(function: FunctionType) -> Iterator[Mutant]:
    """The function doing nothing: it answers with nothing, zero, or either truth value."""
    returns = str(function.__annotations__.get("return", "None"))
    prefix = next((value for start, value in NEUTRAL_PREFIXES.items() if returns.startswith(start)), "None")
    for value in NEUTRAL.get(returns, (prefix,)):
        tree = definition(function)
        tree.body = ast.parse(f"return {value}").body
        yield Mutant(f"returns {value}", function.__code__.co_firstlineno, compiled(function, tree))


def small_changes(function: FunctionType) -> Iterator[Mutant]:
    """Every mutant that differs in one operator, number, condition or statement."""
    original = definition(function)
    seen: Counter[str] = Counter()
    for place, node in enumerate(ast.walk(original)):
        for about, change in changes_of(node):
            seen[about] += 1
            tree = copy.deepcopy(original)
            change(list(ast.walk(tree))[place])
            line = function.__code__.co_firstlineno + getattr(node, "lineno", 1) - 1
            again = f" ({seen[about]})" if seen[about] > 1 else ""
            yield Mutant(about + again, line, compiled(function, tree))


def changes_of(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """How one node of a function can be changed, each with a description."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            yield f"{ast.unparse(node)}: other comparison", _other_comparison
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in OPERATORS:
            yield f"{ast.unparse(node)}: other operator", _other_operator
        case ast.BoolOp():
            yield f"{ast.unparse(node)}: and for or", _other_connective
        case ast.Constant(value=bool() | int()):
            yield f"{node.value!r}: other value", _other_value
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield f"{ast.unparse(test)}: negated", _negated
        case ast.Call(func=ast.Name(id="min" | "max" | "any" | "all")):
            yield f"{ast.unparse(node)}: opposite", _opposite
    for field in ("body", "orelse"):
        for index, statement in enumerate(getattr(node, field, ()) if isinstance(node, ast.stmt) else ()):
            if isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign | ast.Raise | ast.Break | ast.Continue):
                yield f"{ast.unparse(statement)}: left out", _left_out(field, index)


def _other_comparison(node: ast.AST) -> None:
    assert isinstance(node, ast.Compare)
    node.ops = [COMPARISONS[type(node.ops[0])]()]


def _other_operator(node: ast.AST) -> None:
    assert isinstance(node, ast.BinOp | ast.AugAssign)
    node.op = OPERATORS[type(node.op)]()


def _other_connective(node: ast.AST) -> None:
    assert isinstance(node, ast.BoolOp)
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()


def _other_value(node: ast.AST) -> None:
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, int)
    node.value = not node.value if isinstance(node.value, bool) else node.value + 1


def _negated(node: ast.AST) -> None:
    assert isinstance(node, ast.If | ast.IfExp | ast.While)
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _opposite(node: ast.AST) -> None:
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    node.func.id = {"min": "max", "max": "min", "any": "all", "all": "any"}[node.func.id]


def _left_out(field: str, index: int) -> Change:
    def change(node: ast.AST) -> None:
        getattr(node, field)[index] = ast.Pass()

    return change
