"""What is the node of a recorded row? It keeps what the row's formulas need, and runs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...dialects.attributes.spec import ScalarSpec
from ...runtime.gradients.graph import Edge, Node, Result
from ...runtime.gradients.saved import SavedTensor, freed
from ...runtime.tensors.fields import TensorFields
from .language import LANGUAGE
from .recipes import Recipe


class RowNode(Node):
    """The node of a row: gradients by its formulas."""

    __slots__ = ("_kept", "_recipe", "_specs")

    def __init__(
        self, recipe: Recipe, edges: Sequence[Edge | None], results: Sequence[Result]
    ) -> None:
        """Lead to the operands of a call of a row."""
        super().__init__(edges, results)
        self._recipe = recipe
        self._kept: dict[str, Any] | None = {}
        self._specs: dict[str, Any] = {}

    def keep(self, bound: Mapping[str, Any], target: str = "") -> None:
        """Keep operands and attributes; of a `target` that is written, a copy of what it held."""
        recipe, kept = self._recipe, self._kept
        assert kept is not None
        for name in recipe.kept:
            value = bound[name]
            kept[name] = _saved_copy(value) if name == target else _saved(value)
        for name, origin in recipe.specs:
            self._specs[name] = _specs_of(bound[origin])

    def keep_results(self, results: Sequence[Any]) -> None:
        """Keep what the formulas need of results, by their numbers."""
        needed, kept = self._recipe.results, self._kept
        if not needed:
            return
        assert kept is not None
        if "result" in needed:
            kept["result"] = SavedTensor(results[0], 0)
        if "result1" in needed:
            kept["result1"] = SavedTensor(results[1], 1)
        if "results" in needed:
            kept["results"] = [SavedTensor(result, number) for number, result in enumerate(results)]
        if "result_spec" in needed:
            self._specs["result_spec"] = results[0].spec
        if "result_specs" in needed:
            self._specs["result_specs"] = [result.spec for result in results]

    @property
    def is_of_one_number(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether it is that of a function of one number that is not linear."""
        return self._recipe.is_of_one_number

    def saved_tensors(self) -> list[SavedTensor]:
        """Return the tensors that were kept, in an order that only the row decides."""
        kept = self._kept or {}
        return [saved for name in sorted(kept) for saved in _tensors_in(kept[name])]

    def release(self) -> None:
        """Forget the tensors that were kept."""
        kept = self._kept
        if kept is not None and any(self._is_saved(*item) for item in kept.items()):
            self._kept = None

    def _is_saved(self, name: str, value: Any) -> bool:
        """Whether what was kept is gone after a run: tensors, and numbers in their place.

        Factors that are never tensors, such as `alpha`, are attributes to PyTorch, which stay.
        """
        if _holds_tensors(value):
            return True
        parameter = self._recipe.row.schema.by_name.get(name)
        is_number = name in self._recipe.numbers
        may_be_tensor = (
            parameter is not None and parameter.is_operand and parameter.type != "Scalar"
        )
        return may_be_tensor and value is not None and not is_number

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Run the formulas of the operands that want a gradient."""
        first = gradients[0]
        if first is None and len(gradients) == 1:
            return [None] * len(self.edges)
        recipe, kept = self._recipe, self._kept
        known: dict[str, Any] = {"grad": first, "grads": gradients, "needs": recipe.needs}
        known.update(self._specs)
        found: dict[str, Any] = {}
        for name, formula, needs in recipe.formulas:
            for need in needs:
                if need not in known:
                    if kept is None:
                        raise freed()
                    known[need] = _unpacked(kept[need], self)
            found[name] = formula(LANGUAGE, *[known[need] for need in needs])
        if recipe.is_joint:
            found = found["joint"]
        return [
            _item(found[name], index) if is_wanted else None
            for (name, index), is_wanted in zip(recipe.places, recipe.wanted, strict=True)
        ]

    def __getattr__(self, name: str) -> Any:
        """Return what was saved, by PyTorch's names: `_saved_self`, `_raw_saved_other`."""
        is_raw = name.startswith("_raw_saved_")
        if not is_raw and not name.startswith("_saved_"):
            raise AttributeError(name)
        word = name.removeprefix("_raw").removeprefix("_saved_")
        word = "input" if word == "self" else word
        if self._kept is None:
            raise freed()
        if word in self._kept:
            found = self._kept[word]
            return _raw(found) if is_raw else _unpacked(found, self)
        if word in self._recipe.row.schema.by_name and not is_raw:
            return None
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


def _saved(value: Any) -> Any:
    if isinstance(value, TensorFields):
        return SavedTensor(value)
    items = _items(value)
    if any(isinstance(item, TensorFields) for item in items):
        return [_saved(item) for item in items]
    return value


def _items(value: Any) -> Sequence[Any]:
    """Return what is in a list or a tuple; nothing is in anything else."""
    return cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else ()


def _saved_copy(value: Any) -> Any:
    """Save what a tensor holds now, before it is written."""
    return SavedTensor(value.without_gradient().clone())


def _unpacked(value: Any, node: Node) -> Any:
    kind = cast("Any", type(value))
    if kind is SavedTensor:
        return value.unpack(node)
    if kind is list:
        return [_unpacked(item, node) for item in _items(value)]
    return value


def _raw(value: Any) -> Any:
    """Return what keeps a tensor, or several."""
    return tuple(_items(value)) if isinstance(value, list) else value


def _holds_tensors(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_holds_tensors, _items(value)))
    return isinstance(value, SavedTensor)


def _tensors_in(value: Any) -> list[SavedTensor]:
    if isinstance(value, SavedTensor):
        return [value]
    if not isinstance(value, list):
        return []
    return [saved for item in _items(value) for saved in _tensors_in(item)]


def _specs_of(value: Any) -> Any:
    if isinstance(value, TensorFields):
        return value.spec
    if isinstance(value, (list, tuple)):
        return [_specs_of(item) for item in _items(value)]
    return None if value is None else ScalarSpec.of(value)


def _item(found: Any, index: int | None) -> Any:
    return found if index is None or found is None else found[index]
