"""Hook of Schemathesis: what OpenAPI cannot say, and nothing else. A valid request has one cursor at most. With both it is a 422."""

import zlib

import schemathesis
from schemathesis.generation import GenerationMode

CURSORS = ["after", "before"]


def has_both(case):
    # Requests that are meant to be invalid stay so with both.
    return case.meta.generation.mode is GenerationMode.POSITIVE and set(CURSORS) <= set(case.query or {})


def without(case, cursor):
    return {name: value for name, value in case.query.items() if name != cursor}


@schemathesis.hook
def map_case(context, case):
    # Not `filter_case`: the coverage phase puts both cursors in nearly every request, and would send none of those.
    if has_both(case):
        choice = zlib.crc32(repr(sorted(case.query.items())).encode())  # The same each time a request is tried again.
        case.query = without(case, CURSORS[choice % 2])
    return case


@schemathesis.hook
def before_add_examples(context, examples):
    # These pass no other hook, and come as one request that has all the examples: both of its halves are asked for.
    for case in [it for it in examples if has_both(it)]:
        examples.remove(case)
        examples += [context.operation.Case(query=without(case, it), _meta=case.meta) for it in CURSORS]
