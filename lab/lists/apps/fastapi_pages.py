"""fastapi-pagination on the rows of rows.json in this folder: `uvicorn fastapi_pages:app`."""
import json
from contextlib import asynccontextmanager
from datetime import datetime

from fastapi import FastAPI
from fastapi_pagination import LimitOffsetPage, Page, add_pagination
from fastapi_pagination.cursor import CursorPage
from fastapi_pagination.customization import CustomizedPage, UseIncludeTotal
from fastapi_pagination.ext.sqlalchemy import apaginate
from pydantic import BaseModel, ConfigDict
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Row(Base):
    __tablename__ = "rows"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    status: Mapped[str]
    created: Mapped[datetime]


class RowOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    id: int
    name: str
    status: str
    created: datetime


Cursors = CustomizedPage[CursorPage, UseIncludeTotal(True)]
engine = create_async_engine("sqlite+aiosqlite:///rows.db")


@asynccontextmanager
async def filled(_):
    with open("rows.json") as file:
        rows = [{**row, "created": datetime.fromisoformat(row["created"])} for row in json.load(file)["rows"]]
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
        await connection.execute(Row.__table__.insert(), rows)
    yield


app = FastAPI(lifespan=filled)


async def rows(status, *order):
    query = select(Row) if status is None else select(Row).where(Row.status == status)
    async with AsyncSession(engine) as session:
        return await apaginate(session, query.order_by(*order))


@app.get("/cursor")
async def cursor(status: str | None = None) -> Cursors[RowOut]:
    return await rows(status, Row.created.desc())


@app.get("/cursor-and-id")
async def cursor_and_id(status: str | None = None) -> Cursors[RowOut]:
    return await rows(status, Row.created.desc(), Row.id.desc())


@app.get("/page")
async def page(status: str | None = None) -> Page[RowOut]:
    return await rows(status, Row.id)


@app.get("/offset")
async def offset(status: str | None = None) -> LimitOffsetPage[RowOut]:
    return await rows(status, Row.id)


@app.get("/rows/{id}")
async def row(id: int) -> RowOut:
    async with AsyncSession(engine) as session:
        return await session.get_one(Row, id)


add_pagination(app)
