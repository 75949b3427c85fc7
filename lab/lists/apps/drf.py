"""Django REST framework on the rows of rows.json in this folder: `python drf.py HOST:PORT`."""
import json
import sys

import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["*"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "rows.db"}},
    REST_FRAMEWORK={
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "UNAUTHENTICATED_USER": None,
    },
    ROOT_URLCONF=__name__,
    TIME_ZONE="UTC",
    USE_TZ=True,
)
django.setup()

from django.core.management import execute_from_command_line
from django.db import connection, models
from django.urls import path
from rest_framework import generics, pagination, serializers


class Row(models.Model):
    id = models.IntegerField(primary_key=True)
    name = models.TextField()
    status = models.TextField()
    created = models.DateTimeField()

    class Meta:
        app_label = "rows"


class RowSerializer(serializers.ModelSerializer):
    class Meta:
        model = Row
        fields = "__all__"


def rows(of, **attributes):
    sizes = {"page_size": 10, "page_size_query_param": "size", "max_page_size": 100}
    pages = type("Pages", (of,), {**sizes, "default_limit": 10, "max_limit": 100, **attributes})

    def get_queryset(view):
        status = view.request.query_params.get("status")
        return Row.objects.filter(**({} if status is None else {"status": status})).order_by("-id")

    view = type("Rows", (generics.ListAPIView,), {"get_queryset": get_queryset})
    return view.as_view(serializer_class=RowSerializer, pagination_class=pages)


urlpatterns = [
    path("cursor-created", rows(pagination.CursorPagination, ordering="-created")),
    path("cursor-id", rows(pagination.CursorPagination, ordering="-id")),
    path("offset", rows(pagination.LimitOffsetPagination)),
    path("page", rows(pagination.PageNumberPagination)),
    path("rows/<int:pk>", generics.RetrieveAPIView.as_view(queryset=Row.objects.all(), serializer_class=RowSerializer)),
]

with connection.schema_editor() as editor:
    editor.create_model(Row)
with open("rows.json") as file:
    Row.objects.bulk_create(Row(**row) for row in json.load(file)["rows"])
execute_from_command_line([sys.argv[0], "runserver", "--noreload", "--skip-checks", sys.argv[1]])
