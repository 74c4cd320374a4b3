"""The guide, chapter by chapter."""

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).parent.parent / "docs" / "guide.md"
CHAPTERS = {
    title: re.findall(r"```python\n(.*?)```", text, re.S)
    for title, text in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", GUIDE.read_text(), re.S | re.M)
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("chapter", [title for title, blocks in CHAPTERS.items() if blocks])
def test_chapter_runs(chapter):
    place = {"__name__": "guide"}
    for block in CHAPTERS[chapter]:
        exec(compile(block, f"guide: {chapter}", "exec"), place)


def test_all_chapters_are_there():
    assert {"How sure is it", "Gene panel", "EEG", "Imbalanced data", "Stability"} <= set(CHAPTERS)
