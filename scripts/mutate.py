"""Mutation testing of Skytopia's scoring and chronometer: does a test notice every small change of the code?

`python scripts/mutate.py [MODULE...]` changes one thing at a time (a number, a comparison, an operator, a condition, a
word, a result), runs the tests below on it in a process of its own and writes `docs/mutation.md`: how many changes were
noticed, and for each that was not, why it changes nothing a player could see. Exits 1 when one is left unexplained.

The changed module is handed to the import system of a forked child, so the tree stays as it is and a mutant takes a second. For
more than these modules mutmut 3 is set up (`pyproject.toml`; docs/decisions.md says how far that has come).
"""

from __future__ import annotations

import ast
import copy
import importlib.abc
import importlib.util
import os
import resource
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "companion.games.skytopia"
MODULES = ("chronometer", "scoring", "guilds")
TESTS = (
    "test_skytopia_figures.py",
    "test_skytopia_tally.py",
    "test_skytopia_examples.py",
    "test_skytopia_edges.py",
    "test_skytopia_recorded.py",
)
"""The tests that must notice, the quick ones first; a few seconds in all."""
PATIENCE = 60
"""Seconds of processor time: a change that makes the tests run for ever is noticed too."""
EQUAL: dict[tuple[str, str, str], str] = {}
"""Changes no test can notice, and why: (module, function, change)."""

COMPARE: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Mod: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
CALLS = {"min": "max", "max": "min", "sum": "len", "set": "list"}


class Mutant:
    """One changed place: which node, what it becomes."""

    def __init__(self, module: str, where: str, line: int, change: str, tree: ast.Module) -> None:
        self.module, self.where, self.line, self.change, self.tree = module, where, line, change, tree
        self.caught = ""

    @property
    def why(self) -> str:
        """Why nobody can notice it, as far as that is written down."""
        return EQUAL.get((self.module, self.where, self.change), "")


def replacements(node: ast.AST) -> Iterator[ast.AST]:
    """Every small change of one node."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in COMPARE.get(type(node.ops[0]), ()):
            yield ast.Compare(node.left, [other()], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Constant):
        yield from _constants(node.value)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    elif isinstance(node, ast.If):
        yield ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield ast.comprehension(node.target, node.iter, [], node.is_async)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
        yield ast.Call(
            ast.Name(CALLS[node.func.id], ast.Load()), node.args, [k for k in node.keywords if k.arg != "default"]
        )
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Starred):
        yield ast.Starred(ast.Tuple([], ast.Load()), node.ctx)


def _constants(value: object) -> Iterator[ast.AST]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
        yield ast.Constant(value - 1)
    elif isinstance(value, str):
        yield ast.Constant(value + "X")


def mutants(module: str) -> Iterator[Mutant]:
    """Every mutant of a module; docstrings and types are not code."""
    source = (ROOT / PACKAGE.replace(".", "/") / f"{module}.py").read_text()
    tree = ast.parse(source)
    for path in places(tree, ()):
        node = _at(tree, path)
        for other in replacements(node):
            changed = copy.deepcopy(tree)
            _set(changed, path, copy.deepcopy(other))
            ast.fix_missing_locations(changed)
            line = getattr(node, "lineno", 0) or _line(tree, path)
            yield Mutant(module, _function(tree, path), line, f"{_short(node)} -> {_short(other)}", changed)


Path_ = tuple[tuple[str, int | None], ...]


def places(node: ast.AST, path: Path_) -> Iterator[Path_]:
    """The way to every node worth changing."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "keywords_only"):
            continue
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or _told(node, name, child):
                continue
            here = (*path, (name, i if isinstance(value, list) else None))
            yield here
            yield from places(child, here)


def _told(parent: ast.AST, field: str, child: ast.AST) -> bool:
    """Docstrings and imports."""
    if isinstance(child, ast.Import | ast.ImportFrom):
        return True
    words = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant) and isinstance(child.value.value, str)
    return (field == "body" and words) or (isinstance(parent, ast.ClassDef) and field == "keywords")


def _at(node: ast.AST, path: Path_) -> ast.AST:
    for name, i in path:
        value = getattr(node, name)
        node = value if i is None else value[i]
    return node


def _set(tree: ast.AST, path: Path_, new: ast.AST) -> None:
    parent = _at(tree, path[:-1])
    name, i = path[-1]
    if i is None:
        setattr(parent, name, new)
    else:
        getattr(parent, name)[i] = new


def _function(tree: ast.AST, path: Path_) -> str:
    """The innermost function or class around a place."""
    found = "module"
    for end in range(1, len(path) + 1):
        node = _at(tree, path[:end])
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found = node.name
    return found


def _line(tree: ast.AST, path: Path_) -> int:
    return max(getattr(_at(tree, path[:end]), "lineno", 0) for end in range(len(path) + 1))


def _short(node: ast.AST) -> str:
    if isinstance(node, ast.comprehension):
        return "for ... if " + " if ".join(map(ast.unparse, node.ifs)) if node.ifs else "for ..."
    text = ast.unparse(node).splitlines()[0]
    return text if len(text) <= 70 else text[:67] + "..."


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Hands the changed module to whoever imports it."""

    def __init__(self, mutant: Mutant) -> None:
        self.name, self.tree = f"{PACKAGE}.{mutant.module}", mutant.tree

    def find_spec(self, fullname: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Only the one module."""
        return importlib.util.spec_from_loader(fullname, self) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """The changed code."""
        exec(compile(self.tree, module.__name__, "exec"), module.__dict__)


def run(mutant: Mutant | None) -> bool:
    """The tests pass on this mutant, or on the code as it is."""
    import pytest

    child = os.fork()
    if child == 0:
        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            if mutant is not None:
                sys.meta_path.insert(0, Changed(mutant))
            files = [str(ROOT / "tests" / "companion" / "skytopia" / name) for name in TESTS]
            code = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *files]))
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


def write(found: list[Mutant], path: Path) -> None:
    """The report."""
    lines = [
        "# Mutation testing",
        "",
        "Made by `python scripts/mutate.py`: one small change at a time in Skytopia's scoring (`scoring`, `guilds`) and",
        "chronometer, and whether the tests notice. A change nobody notices needs a reason or a test.",
        "",
        "| module | changes | noticed | explained | left |",
        "|---|---|---|---|---|",
    ]
    for module in MODULES:
        mine = [one for one in found if one.module == module]
        if mine:
            lived = [one for one in mine if not one.caught]
            told = sum(bool(one.why) for one in lived)
            lines.append(f"| `{module}` | {len(mine)} | {len(mine) - len(lived)} | {told} | {len(lived) - told} |")
    lived = [one for one in found if not one.caught]
    if lived:
        lines += ["", "## Not noticed", ""]
        lines += [f"- `{o.module}.{o.where}`, line {o.line}: `{o.change}`: {o.why or '**unexplained**'}" for o in lived]
    path.write_text("\n".join(lines) + "\n")


def main(wanted: list[str]) -> int:
    """Try every mutant; 1 when one is left unexplained."""
    os.chdir(ROOT)
    if not run(None):
        sys.stderr.write("the tests fail without any change; mend them first\n")
        return 1
    found: list[Mutant] = []
    for module in wanted or MODULES:
        for mutant in mutants(module):
            mutant.caught = "" if run(mutant) else "noticed"
            found.append(mutant)
            if not mutant.caught:
                sys.stderr.write(f"{module}:{mutant.line} {mutant.where}: {mutant.change}\n")
        sys.stderr.write(f"{module}: {sum(bool(one.caught) for one in found)} of {len(found)} noticed so far\n")
    if not wanted:
        write(found, ROOT / "docs" / "mutation.md")
    left = [one for one in found if not one.caught and not one.why]
    sys.stdout.write(f"{len(found)} changes, {sum(bool(o.caught) for o in found)} noticed, {len(left)} unexplained\n")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
