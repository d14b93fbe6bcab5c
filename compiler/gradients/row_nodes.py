"""What is the node of a recorded row? It keeps what the row's formulas need, and runs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...dialects.attributes.spec import ScalarSpec
from ...dialects.ops.frame.gradients import Formula, Gradient, needs_of
from ...dialects.ops.frame.row import OpSpec
from ...runtime.gradients.graph import Edge, Node, Result
from ...runtime.gradients.saved import SavedTensor, freed
from ...runtime.tensors.fields import TensorFields
from .language import LANGUAGE

#: Where an edge of a node comes from: an operand, and which item of it if that is a list.
Place = tuple[str, int | None]


class RowNode(Node):
    """The node of a row: gradients by its formulas."""

    __slots__ = ("_kept", "_places", "_row", "_rule", "_specs")

    def __init__(
        self,
        row: OpSpec,
        rule: Gradient,
        places: Sequence[Place],
        edges: Sequence[Edge | None],
        results: Sequence[Result],
    ) -> None:
        """Lead to the operands of a call of a row."""
        super().__init__(edges, results)
        self._row, self._rule, self._places = row, rule, tuple(places)
        self._kept: dict[str, Any] | None = {}
        self._specs: dict[str, Any] = {}

    def needs(self) -> set[str]:
        """Return what the formulas need of those operands that want a gradient."""
        names: set[str] = set()
        for formula in self._formulas().values():
            names.update(needs_of(formula))
        return names

    def _formulas(self) -> Mapping[str, Formula]:
        wanted = {
            name: None
            for (name, _), edge in zip(self._places, self.edges, strict=True)
            if edge is not None
        }
        if self._rule.joint is not None:
            return {"joint": self._rule.joint}
        return {name: self._rule.formulas[name] for name in wanted}

    def keep(self, needed: set[str], bound: Mapping[str, Any], target: str = "") -> None:
        """Keep operands and attributes; of a `target` that is written, a copy of what it held."""
        assert self._kept is not None
        for name in needed:
            if name in bound:
                value = bound[name]
                self._kept[name] = _saved_copy(value) if name == target else _saved(value)
            elif name.endswith("_spec") and (origin := name.removesuffix("_spec")) in bound:
                self._specs[name] = _specs_of(bound[origin])

    def keep_results(self, needed: set[str], results: Sequence[Any]) -> None:
        """Keep results that the formulas need, by their numbers."""
        assert self._kept is not None
        if "result" in needed:
            self._kept["result"] = SavedTensor(results[0], 0)
        if "results" in needed:
            self._kept["results"] = [
                SavedTensor(result, number) for number, result in enumerate(results)
            ]
        if "result_spec" in needed:
            self._specs["result_spec"] = results[0].spec
        if "result_specs" in needed:
            self._specs["result_specs"] = [result.spec for result in results]

    def release(self) -> None:
        """Forget the tensors that were kept."""
        kept = self._kept
        if kept is not None and any(self._is_saved(*item) for item in kept.items()):
            self._kept = None

    def _is_saved(self, name: str, value: Any) -> bool:
        """Whether what was kept is gone after a run: tensors, and numbers in their place."""
        parameter = self._row.schema.by_name.get(name)
        is_operand = parameter is not None and parameter.is_operand and value is not None
        return is_operand or _holds_tensors(value)

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Run the formulas of the operands that want a gradient."""
        known: dict[str, Any] = {"grads": tuple(gradients), **self._specs}
        if len(gradients) == 1:
            known["grad"] = gradients[0]
            if gradients[0] is None:
                return [None] * len(self.edges)
        else:
            known["grad"] = gradients[0]
        known["needs"] = frozenset(
            name
            for (name, _), edge in zip(self._places, self.edges, strict=True)
            if edge is not None
        )
        found = self._run(known)
        return [
            None if edge is None else _item(found[name], index)
            for (name, index), edge in zip(self._places, self.edges, strict=True)
        ]

    def _run(self, known: dict[str, Any]) -> dict[str, Any]:
        formulas = self._formulas()
        found: dict[str, Any] = {}
        for name, formula in formulas.items():
            for need in needs_of(formula):
                if need not in known:
                    known[need] = self._value(need)
            values = [known[need] for need in needs_of(formula)]
            found[name] = formula(LANGUAGE, *values)
        return found["joint"] if self._rule.joint is not None else found

    def _value(self, name: str) -> Any:
        if self._kept is None:
            raise freed()
        return _unpacked(self._kept[name], self)

    def __getattr__(self, name: str) -> Any:
        """Return what was saved, by PyTorch's names: `_saved_self`, `_saved_other`."""
        if not name.startswith("_saved_"):
            raise AttributeError(name)
        word = name.removeprefix("_saved_")
        word = "input" if word == "self" else word
        if self._kept is None:
            raise freed()
        if word in self._kept:
            return _unpacked(self._kept[word], self)
        if word in self._row.schema.by_name:
            return None
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


def _saved(value: Any) -> Any:
    if isinstance(value, TensorFields):
        return SavedTensor(value)
    if isinstance(value, (list, tuple)) and any(isinstance(item, TensorFields) for item in value):
        return [_saved(item) for item in value]
    return value


def _saved_copy(value: Any) -> Any:
    """Save what a tensor holds now, before it is written."""
    return SavedTensor(value.without_gradient().clone())


def _unpacked(value: Any, node: Node) -> Any:
    if isinstance(value, SavedTensor):
        return value.unpack(node)
    if isinstance(value, list):
        return [_unpacked(item, node) for item in value]
    return value


def _holds_tensors(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_holds_tensors, value))
    return isinstance(value, SavedTensor)


def _specs_of(value: Any) -> Any:
    if isinstance(value, TensorFields):
        return value.spec
    if isinstance(value, (list, tuple)):
        return [_specs_of(item) for item in value]
    return None if value is None else ScalarSpec.of(value)


def _item(found: Any, index: int | None) -> Any:
    return found if index is None or found is None else found[index]
