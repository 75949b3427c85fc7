"""Litestar's ClassicPagination on the rows of rows.json in this folder: `uvicorn litestar_pages:app`."""
import json
from dataclasses import dataclass
from typing import Annotated

from litestar import Litestar, get
from litestar.pagination import AbstractSyncClassicPaginator, ClassicPagination
from litestar.params import Parameter


@dataclass
class Row:
    id: int
    name: str


with open("rows.json") as file:
    ROWS = [Row(row["id"], row["name"]) for row in json.load(file)["rows"]]


class Pages(AbstractSyncClassicPaginator[Row]):
    def get_total(self, page_size: int) -> int:
        return -(-len(ROWS) // page_size)

    def get_items(self, page_size: int, current_page: int) -> list[Row]:
        return ROWS[(current_page - 1) * page_size : current_page * page_size]


@get("/rows", sync_to_thread=False)
def rows(
    page_size: Annotated[int, Parameter(ge=1, le=100)] = 20, current_page: Annotated[int, Parameter(ge=1)] = 1
) -> ClassicPagination[Row]:
    return Pages()(page_size=page_size, current_page=current_page)


app = Litestar([rows])
