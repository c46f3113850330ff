"""What the documentation and the notebook show is printed again."""

import doctest
import re

import pytest

from conftest import ROOT, reader

PAGES = [ROOT / "docs" / "python.md", ROOT / "docs" / "python.zh-CN.md"]
NOTEBOOK = ROOT / "python" / "examples" / "tutorial.ipynb"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_pages(page, monkeypatch):
    for library in ("polars", "duckdb", "matplotlib"):
        reader(library)
    monkeypatch.chdir(ROOT)
    (ROOT / "target").mkdir(exist_ok=True)
    # Lines outside of examples stay, empty: a failure is reported with its line in the page.
    lines, is_example = [], False
    for line in page.read_text(encoding="utf-8").splitlines():
        fence = re.match(r"```(\w*)", line)
        if fence:
            is_example = fence[1] == "pycon"
        lines.append(line if is_example and not fence else "")
    test = doctest.DocTestParser().get_doctest("\n".join(lines) + "\n", {}, page.name, str(page), 0)
    assert len(test.examples) > 30
    failures = []
    doctest.DocTestRunner(verbose=False).run(test, out=failures.append)
    assert not failures, "".join(failures)


def test_the_notebook():
    nbclient, nbformat = reader("nbclient"), reader("nbformat")
    for library in ("ipykernel", "polars", "matplotlib"):
        reader(library)
    saved = nbformat.read(NOTEBOOK, as_version=4)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    for before, after in zip(saved.cells, notebook.cells, strict=True):
        # Pictures have ids of their own in each run.
        texts = [[output.get("data", output).get("text/plain", output.get("text")) for output in cell.get("outputs", [])] for cell in (before, after)]
        assert texts[0] == texts[1], before.source
        assert not any(output.output_type == "error" for output in after.get("outputs", []))
