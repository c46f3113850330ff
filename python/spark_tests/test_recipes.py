"""The recipes of docs/spark.md, run as they are printed there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SAMPLES

PAGE = Path(__file__).parents[2] / "docs/spark.md"


def recipe(name: str) -> str:
    """The block of Python below the heading `name`."""
    section = PAGE.read_text().split(f"\n### {name}\n", 1)[1]
    return re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]


@pytest.mark.parametrize("name", ["Ray", "Dask", "A DataFrame of Spark, without the data source"])
def test_recipe(name, tmp_path):
    text = recipe(name)
    assert 'captures/' in text
    script = tmp_path / "recipe.py"
    # Processes of Dask import the script again.
    body = text.replace("captures/", f"{SAMPLES}/")
    script.write_text("if __name__ == '__main__':\n" + "".join(f"    {line}\n" for line in body.splitlines()))
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert run.returncode == 0, run.stderr[-2000:]
    assert "receive_window" in run.stdout and "path" in run.stdout
