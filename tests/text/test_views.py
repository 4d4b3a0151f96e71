"""What is written once for many is what each would have been given by itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fabric import flow
from fabric.design.devices import DeviceModels
from fabric.design.hosts import HostModels
from fabric.files.locate import templates_root
from fabric.text import Renderer
from fabric.text.host import common_words, own_words
from fabric.text.views import OwnError, SharedViews, View
from tests.text.toy import JSON, TEXT, toy_spec, write

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.device import DeviceModel

ROOTS = (templates_root(),)
EXAMPLES = sorted((Path(__file__).parents[2] / "inventories").glob("**/*.yaml"))
EXAMPLES = [path for path in EXAMPLES if "topology:" in path.read_text(encoding="utf-8")]


@pytest.fixture(scope="module")
def design() -> Design:
    return flow.load(Path(__file__).parents[2] / "inventories" / "64node.yaml")


@pytest.fixture(scope="module")
def edges(design: Design) -> list[DeviceModel]:
    models = DeviceModels(design)
    return [models.of(f"edge-0-{number}") for number in range(3)]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_shared_or_not_the_files_are_the_same(path: Path) -> None:
    design = flow.load(path)
    switches, hosts = DeviceModels(design), HostModels(design)
    renderer, alone = Renderer(ROOTS), Renderer(ROOTS)
    for switch in design.topology.switches:
        model = switches.of(switch.name)
        shared = renderer.device(model)
        single = alone.render(model.platform, {"device": model}, model.fabric, model.name)
        assert shared.files == single.files, switch.name
    for host in design.topology.hosts[:20]:
        whole = hosts.of(host.name)
        context = {"host": whole, **common_words(whole), **own_words(whole)}
        made = renderer.host(whole)
        spec = renderer._host_spec
        assert spec is not None
        assert made.files == alone.render(spec, context, whole.fabric, whole.name).files


def test_switches_that_differ_in_their_own_only_share_a_view(edges: list[DeviceModel]) -> None:
    views = SharedViews()
    assert views.of_device(edges[0]) is views.of_device(edges[1])


@pytest.mark.parametrize(
    "change",
    [{"hash_seed": 99}, {"extra": "x"}, {"buffers": None}, {"profiles": ()}, {"interfaces": ()}],
)
def test_any_other_difference_is_another_view(
    edges: list[DeviceModel], change: dict[str, object]
) -> None:
    views = SharedViews()
    changed = replace(edges[1], **change)  # type: ignore[arg-type]
    assert views.of_device(edges[0]) is not views.of_device(changed)


def test_one_port_that_differs_is_another_view(edges: list[DeviceModel]) -> None:
    first, *others = edges[1].interfaces
    chain = replace(first.chain, pfc_priorities=())
    changed = replace(edges[1], interfaces=(replace(first, chain=chain), *others))
    views = SharedViews()
    assert views.of_device(edges[0]) is not views.of_device(changed)


@pytest.mark.parametrize(
    "words",
    [
        "{{ device.name }}",
        "{% if device.name is none %}x{% endif %}",
        "{% if device.name is defined %}x{% endif %}",
        "{{ device.name | default('x') }}",
        "{{ device.interfaces | map(attribute='addresses') | list | length }}",
        "{{ device.interfaces | selectattr('peer_device', 'none') | list | length }}",
        "{{ device.interfaces | alike('chain.device') | length }}",
        "{{ device.used_interfaces[0].description }}",
        "{{ device['name'] }}",
        "{{ device | attr('name') }}",
    ],
)
def test_whatever_a_template_does_with_its_own_it_gets_its_own(
    words: str, edges: list[DeviceModel], tmp_path: Path
) -> None:
    write(tmp_path, {"toy.conf.j2": words + ".\n"})
    renderer, spec, views = Renderer((tmp_path,)), toy_spec(TEXT), SharedViews()
    for model in edges:
        context = {"device": model}
        shared = renderer.render(spec, context, "t", model.name, views.of_device(model))
        single = Renderer((tmp_path,)).render(spec, context, "t", model.name)
        assert shared == single


@pytest.mark.parametrize("words", ["{{ device.role }}", "{{ device.name }}"])
def test_a_part_is_shared_or_its_own_and_sees_nothing_of_its_caller(
    words: str, edges: list[DeviceModel], tmp_path: Path
) -> None:
    part = words + "{{ mine | default('') }}\n"
    whole = "{% set mine = device.role %}\n{{ part('part.j2') -}}\nend\n"
    write(tmp_path, {"toy.conf.j2": whole, "part.j2": part})
    renderer, spec, views = Renderer((tmp_path,)), toy_spec(TEXT), SharedViews()
    for model in edges:
        context = {"device": model}
        shared = renderer.render(spec, context, "t", model.name, views.of_device(model))
        assert shared == Renderer((tmp_path,)).render(spec, context, "t", model.name)
        said = model.role if "role" in words else model.name
        assert shared.files[0].text.endswith(f"{said}\nend\n")


def test_a_part_that_many_share_is_rendered_once(
    edges: list[DeviceModel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"toy.conf.j2": "{{ device.name }} {{ part('p.j2') }}\n", "p.j2": "same"})
    renderer, spec, views = Renderer((tmp_path,)), toy_spec(TEXT), SharedViews()
    rendered: list[str] = []
    own = Renderer._text

    def counted(self: Renderer, job: Any, name: str, context: Any) -> str:
        rendered.append(name)
        return own(self, job, name, context)

    monkeypatch.setattr(Renderer, "_text", counted)
    for model in edges:
        renderer.render(spec, {"device": model}, "t", model.name, views.of_device(model))
    assert rendered.count("p.j2") == 1


def test_a_table_from_two_blocks_is_whole_for_each_switch(
    edges: list[DeviceModel], tmp_path: Path
) -> None:
    blocks = {
        "blocks/a.j2": '{"T": {"same": {"role": "{{ device.role }}"}}}',
        "blocks/b.j2": '{"T": {"same": {"name": "{{ device.name }}"}}}',
    }
    write(tmp_path, blocks)
    renderer, spec, views = Renderer((tmp_path,)), toy_spec(JSON), SharedViews()
    for model in edges:
        shared = views.of_device(model)
        (file,) = renderer.render(spec, {"device": model}, "t", model.name, shared).files
        assert f'"name": "{model.name}"' in file.text
        assert file.text.count('"role": "edge"') == 1


def test_a_view_has_what_it_was_given_and_nothing_else() -> None:
    view = View(a=1)
    assert view.a == 1
    with pytest.raises(OwnError, match="b"):
        _ = view.b


def test_views_of_switches_that_are_all_different_do_not_pile_up(
    edges: list[DeviceModel],
) -> None:
    views = SharedViews()
    for seed in range(100):
        views.of_device(replace(edges[0], hash_seed=seed))
    assert len(views._by_key) <= 32
