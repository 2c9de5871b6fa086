"""What the client makes of its arguments before anything is sent."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pandas as pd
import pytest

from interlace.client import Interlace
from interlace.client.arguments import encoded
from interlace.domain.errors import InvalidInputError

ID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda client, _: client.ask("who?", legs="one"), "legs"),
        (lambda client, _: client.ask("who?", without="one"), "without"),
        (lambda client, _: client.route("who?", without="one"), "without"),
        (lambda client, _: client.entities("Ada", types="one"), "types"),
        (lambda client, _: client.neighbors(ID, types="one"), "types"),
        (lambda client, _: client.neighbors(ID, predicates="one"), "predicates"),
        (lambda client, _: client.decisions.split("Mercury", "planet", "one"), "documents"),
        (lambda client, _: client.ingestion.text("a.md", "text", tags="one"), "tags"),
        (lambda client, folder: client.ingestion.files(folder, tags="one"), "tags"),
    ],
)
def test_a_text_is_no_list_of_letters(call: Callable[..., Any], name: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("text")
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(500)

    with (
        Interlace("http://api.test", transport=httpx.MockTransport(answer)) as client,
        pytest.raises(InvalidInputError, match=rf"^{name}: give a list, such as \['one'\]\.$"),
    ):
        call(client, tmp_path)
    assert sent == []


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (np.int64(3), 3),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.array([1, 2]), [1, 2]),
        (pd.Series(["a", "b"]), ["a", "b"]),
        (pd.Index(["a"]), ["a"]),
        ({"a"}, ["a"]),
        (date(2024, 3, 9), "2024-03-09"),
        (pd.Timestamp("2024-03-09 10:00"), "2024-03-09T10:00:00"),
        (np.datetime64("2024-03-09T10:00", "s"), "2024-03-09T10:00:00"),
        (pd.Series(pd.to_datetime(["2024-03-09"])).to_numpy(), ["2024-03-09T00:00:00.000000"]),
        ([{"x": {np.int64(1)}}], [{"x": [1]}]),
        ("Größe", "Größe"),
    ],
)
def test_values_of_data_frames_are_sent_as_json_has_them(given: object, sent: object) -> None:
    assert json.loads(encoded({"value": given})) == {"value": sent}


@pytest.mark.parametrize(
    "given",
    [
        float("nan"),
        pd.NaT,
        np.datetime64("NaT"),
        pd.Series([pd.NaT, pd.Timestamp(0)]).to_numpy(),
        pd.NA,
        object(),
        {(1, 2): 3},
        "\ud800",
        pd.DataFrame({"a": [1]}),
    ],
)
def test_what_json_cannot_hold_is_refused_with_a_sentence(given: object) -> None:
    with pytest.raises(InvalidInputError, match=r"^This cannot be sent as JSON: .+; give texts, "):
        encoded({"value": given})


def test_numbers_of_data_frames_are_limits_budgets_and_parameters() -> None:
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json={"hits": [], "items": [], "next_cursor": None})

    with Interlace("http://api.test", transport=httpx.MockTransport(answer)) as client:
        client.ask("who?", limit=np.int64(3), pack=np.int64(300))  # type: ignore[arg-type]
        client.documents(limit=np.int64(3))  # type: ignore[arg-type]
        with pytest.raises(InvalidInputError, match="JSON"):
            client.entity(float("nan"))  # type: ignore[arg-type]
    asked = json.loads(sent[0].content)
    assert (asked["limit"], asked["pack"]) == (3, {"budget": 300})
    assert sent[0].headers["Content-Type"] == "application/json"
    assert sent[1].url.params["limit"] == "4"
