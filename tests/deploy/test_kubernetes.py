"""The Kubernetes manifests of `deploy/`: checked against Kubernetes' own schemas, and against the server's options."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml
from meadow_server.config import ENV_PREFIX, Config, make_parser, parse_config
from meadow_server.main import STREAMS_END_SECONDS
from meadow_server.operators import Operators
from meadow_server.watched import BadFile

from tests.deploy.envoy import cluster, configuration
from tests.support.source_tree import ROOT

pytestmark = pytest.mark.source

FOLDER = ROOT / "deploy" / "kubernetes"
OF_SERVERS = ["sqlite", "postgres"]
ALL = [*OF_SERVERS, "envoy"]
# the oldest that are maintained and the newest
VERSIONS = ["1.32", "1.36"]
Manifest = dict[str, Any]


@cache
def manifests(name: str) -> list[Manifest]:
    """The manifests of a file."""
    return [manifest for manifest in yaml.safe_load_all((FOLDER / f"{name}.yaml").read_text("utf-8")) if manifest]


def one(name: str, kind: str) -> Manifest:
    """The manifest of a kind in a file."""
    (found,) = (manifest for manifest in manifests(name) if manifest["kind"] == kind)
    return found


def pod(name: str) -> Manifest:
    """The pods of a file's deployment."""
    spec: Manifest = one(name, "Deployment")["spec"]["template"]["spec"]
    return spec


def container(name: str) -> Manifest:
    """The one container of these pods."""
    (found,) = pod(name)["containers"]
    assert isinstance(found, dict)
    return found


def environment(name: str) -> dict[str, str]:
    """The environment of a server, secrets filled in as the file has them."""
    found: dict[str, str] = dict(one(name, "ConfigMap")["data"])
    secrets = one(name, "Secret")["stringData"]
    for variable in container(name).get("env", []):
        found[variable["name"]] = secrets[variable["valueFrom"]["secretKeyRef"]["key"]]
    return found


def config(name: str) -> Config:
    """What a server makes of it."""
    return parse_config([], environment(name))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ALL)
def test_manifests_keep_to_the_schema(name: str, version: str) -> None:
    """Each manifest is one of Kubernetes, with no field that it does not know."""
    for manifest in manifests(name):
        kubernetes_validate.validate(manifest, version, strict=True)


def test_the_schema_notices_what_is_wrong() -> None:
    """A misspelt field is not passed over."""
    wrong = deepcopy(one("sqlite", "Deployment"))
    wrong["spec"]["replica"] = wrong["spec"].pop("replicas")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSIONS[-1], strict=True)


def test_every_manifest_is_checked() -> None:
    """No file is left out of these tests."""
    assert {file.stem for file in FOLDER.iterdir()} == set(ALL)


@pytest.mark.parametrize("name", OF_SERVERS)
def test_each_variable_is_an_option(name: str) -> None:
    """The server knows each variable, and understands its value."""
    help_text = make_parser({}).format_help()
    for variable in environment(name):
        assert variable.startswith(ENV_PREFIX)
        assert f"[{variable}]" in " ".join(help_text.split()), variable
    assert config(name).metrics_listen


@pytest.mark.parametrize("name", OF_SERVERS)
def test_ports_are_those_that_are_served(name: str) -> None:
    """Ports of containers, services, probes and annotations are the two that the server listens on."""
    served = {"grpc": config(name).listen, "metrics": config(name).metrics_listen}
    ports = {port["name"]: port["containerPort"] for port in container(name)["ports"]}
    assert {port: f"0.0.0.0:{number}" for port, number in ports.items()} == served
    for port in one(name, "Service")["spec"]["ports"]:
        assert ports[port["targetPort"]] == port["port"]
    probes = [container(name)[f"{kind}Probe"]["httpGet"] for kind in ("startup", "readiness", "liveness")]
    assert [(probe["path"], probe["port"]) for probe in probes] == [
        ("/readyz", "metrics"),
        ("/readyz", "metrics"),
        ("/healthz", "metrics"),
    ]
    annotations = one(name, "Deployment")["spec"]["template"]["metadata"]["annotations"]
    assert annotations["prometheus.io/port"] == str(ports["metrics"])


@pytest.mark.parametrize("name", ALL)
def test_labels_meet(name: str) -> None:
    """Services, budgets and deployments mean the same pods."""
    labels = one(name, "Deployment")["spec"]["template"]["metadata"]["labels"]
    assert one(name, "Deployment")["spec"]["selector"]["matchLabels"].items() <= labels.items()
    assert one(name, "Service")["spec"]["selector"].items() <= labels.items()
    for manifest in manifests(name):
        if manifest["kind"] == "PodDisruptionBudget":
            assert manifest["spec"]["selector"]["matchLabels"].items() <= labels.items()


def _references(spec: Any) -> Iterator[tuple[str, str]]:
    """Kind and name of all that a pod needs."""
    kinds = {"configMapRef": "ConfigMap", "secretKeyRef": "Secret", "configMap": "ConfigMap"}
    if isinstance(spec, dict):
        for key, value in spec.items():
            if key in kinds:
                yield kinds[key], value["name"]
            elif key == "secretName":
                yield "Secret", value
            elif key == "claimName":
                yield "PersistentVolumeClaim", value
            yield from _references(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from _references(value)


@pytest.mark.parametrize("name", ALL)
def test_what_pods_need_is_there(name: str) -> None:
    """Each object that pods refer to is in the file, or the file says how it is made; so is each volume."""
    there = {(manifest["kind"], manifest["metadata"]["name"]) for manifest in manifests(name)}
    text = (FOLDER / f"{name}.yaml").read_text("utf-8")
    for kind, wanted in _references(pod(name)):
        assert (kind, wanted) in there or f"create {kind.lower()} {wanted} " in text, wanted
    volumes = {volume["name"] for volume in pod(name)["volumes"]}
    assert {mount["name"] for mount in container(name)["volumeMounts"]} == volumes


@pytest.mark.parametrize("name", OF_SERVERS)
def test_files_named_to_the_server_are_mounted(name: str) -> None:
    """The operator's keys lie where the server looks for them, and the journal on its volume."""
    volumes = {volume["name"]: volume for volume in pod(name)["volumes"]}
    files = {
        Path(mount["mountPath"]) / item["path"]
        for mount in container(name)["volumeMounts"]
        for item in volumes[mount["name"]].get("secret", {}).get("items", [])
    }
    assert config(name).operator_key_file in files
    if isinstance(journal := config(name).journal, Path):
        (place,) = (mount["mountPath"] for mount in container(name)["volumeMounts"] if mount["name"] == "journal")
        assert journal.parent == Path(place)


@pytest.mark.parametrize("name", OF_SERVERS)
def test_a_server_may_end_in_peace(name: str) -> None:
    """From the order to end until the kill there is time for everybody to hear of it, and for the whole drain."""
    limits = config(name).limits
    (_, pause) = container(name)["lifecycle"]["preStop"]["exec"]["command"]
    probe = container(name)["readinessProbe"]
    needed = int(pause) + STREAMS_END_SECONDS + limits.drain_seconds
    assert pod(name)["terminationGracePeriodSeconds"] >= needed + 5
    assert int(pause) > probe["periodSeconds"] * probe["failureThreshold"]


def test_a_file_has_one_server() -> None:
    """With SQLite there is one pod, the next starts when it has ended, and its volume is no other pod's."""
    spec = one("sqlite", "Deployment")["spec"]
    assert (spec["replicas"], spec["strategy"]) == (1, {"type": "Recreate"})
    assert one("sqlite", "PersistentVolumeClaim")["spec"]["accessModes"] == ["ReadWriteOncePod"]
    kinds = {manifest["kind"] for manifest in manifests("sqlite")}
    assert not kinds & {"HorizontalPodAutoscaler", "PodDisruptionBudget"}


def test_a_database_has_many_servers() -> None:
    """With PostgreSQL there are always at least two, also while one is replaced, and the load says how many more."""
    scaler = one("postgres", "HorizontalPodAutoscaler")["spec"]
    assert scaler["scaleTargetRef"]["name"] == one("postgres", "Deployment")["metadata"]["name"]
    assert scaler["minReplicas"] >= 2
    assert "replicas" not in one("postgres", "Deployment")["spec"], "it would undo what the autoscaler did"
    assert one("postgres", "Deployment")["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    assert not isinstance(config("postgres").journal, Path)


@pytest.mark.parametrize("name", ALL)
def test_nothing_runs_with_more_rights_than_it_needs(name: str) -> None:
    """Not root, no way to become it, no capabilities, a file system that cannot be written."""
    assert pod(name)["securityContext"]["runAsNonRoot"]
    assert pod(name)["securityContext"]["runAsUser"] > 0
    context = container(name)["securityContext"]
    assert context["readOnlyRootFilesystem"]
    assert not context["allowPrivilegeEscalation"]
    assert context["capabilities"]["drop"] == ["ALL"]


@pytest.mark.parametrize("name", OF_SERVERS)
def test_the_user_is_that_of_the_image(name: str) -> None:
    """The volume belongs to whom the image runs as."""
    context = pod(name)["securityContext"]
    user = f"USER {context['runAsUser']}:{context['fsGroup']}"
    assert user in (ROOT / "Dockerfile").read_text("utf-8")


@pytest.mark.parametrize("name", OF_SERVERS)
def test_no_secret_is_published(name: str, tmp_path: Path) -> None:
    """The keys in the file are none: whoever forgets to put their own gets no server, rather than a known key."""
    file = tmp_path / "keys"
    file.write_text(one(name, "Secret")["stringData"]["operator-keys"])
    with pytest.raises(BadFile, match="holds no key"):
        Operators(file)


def test_envoy_finds_the_servers() -> None:
    """The name and port that Envoy asks for are those of the servers' service; its own port is published."""
    settings = configuration()
    (endpoints,) = cluster(settings)["load_assignment"]["endpoints"]
    (found,) = endpoints["lb_endpoints"]
    place = found["endpoint"]["address"]["socket_address"]
    for name in OF_SERVERS:
        service = one(name, "Service")
        assert place["address"] == service["metadata"]["name"]
        assert place["port_value"] == next(port["port"] for port in service["spec"]["ports"] if port["name"] == "grpc")
        assert service["spec"]["clusterIP"] == "None", "else its name is one address, and one pod gets all calls"
    (listener,) = settings["static_resources"]["listeners"]
    (port,) = container("envoy")["ports"]
    assert port["containerPort"] == listener["address"]["socket_address"]["port_value"]
