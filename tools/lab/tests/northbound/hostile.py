"""Documents that are sent to do harm where they are taken for what they seem; the same of the same seed."""

from __future__ import annotations

import json
import random

JSON, YAML, YANG = "application/json", "application/yaml", "application/yang-data+json"
MEMBERS = ("priority", "to", "rateKbps", "durationSeconds", "confirmWithinSeconds", "paceline-policy:input")
# What a request may hold; where a bound is passed it is passed by little and by much.
MOST_BYTES = 4 << 20


def of_json(chance: random.Random) -> tuple[str, bytes]:
    kind = chance.choice(JSON_KINDS)
    body = kind(chance)
    return kind.__name__, body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")


def of_yaml(chance: random.Random) -> tuple[str, bytes]:
    # Much of what is hostile JSON is hostile YAML.
    kind = chance.choice((*YAML_KINDS, *YAML_KINDS, *SHARED_KINDS))
    body = kind(chance)
    return kind.__name__, body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")


def member(chance):
    return json.dumps(chance.choice(MEMBERS))


def size(chance, most):
    """Of any order of magnitude."""
    return int(most ** chance.uniform(0.4, 1))


def digits(chance, most):
    return chance.choice("123456789") * max(41, size(chance, most))


def deep(chance):
    return chance.choice(("[", '{"a":', '{"intents":[', '{"a":[')) * (100 + size(chance, 200_000))


def deep_and_closed(chance):
    depth = chance.randint(65, 3_000)
    return '{"intents":' + "[" * depth + "]" * depth + "}"


def long_number(chance):
    return "{%s: %s%s}" % (member(chance), chance.choice(("", "-")), digits(chance, MOST_BYTES - 100))


def long_fraction(chance):
    return "{%s: 0.%s}" % (member(chance), digits(chance, 1_000_000))


def long_exponent(chance):
    return "{%s: 1e%s}" % (member(chance), digits(chance, 100_000))


def big_exponent(chance):
    exponent = chance.choice(("999999999", "-999999999", "2147483647", "99999999999", "-2147483648", "400"))
    return '{%s: %d.%de%s, "none": 0}' % (member(chance), chance.randint(1, 9), chance.randint(0, 9), exponent)


def no_number(chance):
    return "{%s: %s}" % (member(chance), chance.choice(("NaN", "-Infinity", "+1", "0x10", "01", "1.", ".5", "1e", "--1")))


def long_text(chance):
    return '{"intent": "%s"}' % ("x" * (70_000 + size(chance, MOST_BYTES - 80_000)))


def text_of_escapes(chance):
    return '{"intent": "%s"}' % ("\\u0041" * (66_000 + size(chance, 500_000)))


def long_key(chance):
    return '{"%s": 1}' % ("k" * (70_000 + size(chance, MOST_BYTES - 80_000)))


def given_twice(chance):
    return chance.choice(
        ('{"to":1,"to":2}', '{"priority":1,"priority":1}', '{"intents":[{"class":"a","class":"b"}]}', '{"a":{"b":1,"b":2}}', '{"\\u0061":1,"a":1}')
    )


def many_members(chance):
    return "{" + ", ".join(f'"k{n}": {n % 7}' for n in range(size(chance, 200_000))) + ', "k0": 1}'


def many_values(chance):
    return '{"intents": [' + "0, " * (1_000 + size(chance, 900_000)) + "0]}"


def many_objects(chance):
    return '{"intents": [' + "{}, " * (1_000 + size(chance, 700_000)) + "{}]}"


def half_a_character(chance):
    half = chance.choice(("\\ud83d", "\\ude00", "\\ud83dx", "\\udc00\\ud800"))
    return '{"%s": "%s"}' % (chance.choice(("intent", "id", half)), half)


def broken_utf8(chance):
    bad = chance.choice((b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xc0\x80", b"\xe2\x82"))
    return b'{"intent": "' + bad * chance.randint(1, 50) + b'"}'


def cut_off(chance):
    whole = '{"intents": [{"utilityFunction": "web"}, {"class": "voip", "priority": 3}]}'
    return whole[: chance.randint(1, len(whole) - 1)]


def nothing_of_the_kind(chance):
    return chance.choice(("[]", "7", '"text"', "null", "true", "{} {}", "{'to': 1}", "{/**/}", "\x00", "\ufeff{", "<xml/>", "{,}", "{]", "}"))


def unknown_members(chance):
    return json.dumps({f"none-{chance.random()}": [None, {"x": [1, 2]}, "y" * size(chance, 50_000)]})


def blanks(chance):
    return "{" + chance.choice((" ", "\n", "\t")) * size(chance, MOST_BYTES - 100) + '"none": 1'


def too_large(chance):
    return b'{"none": "' + b"z" * (MOST_BYTES + size(chance, MOST_BYTES)) + b'"}'


def bomb(chance):
    """Within the limit of aliases that the parsers have themselves."""
    each = chance.randint(2, 12)
    opening, closing, key = chance.choice((("[", "]", ""), ("{", "}", "k%d: ")))
    lines = ["a0: &a0 " + chance.choice(("x", "[x, x]", "7", '"' + "x" * 900 + '"'))]
    for level in range(1, 1 + min(50 // each, 20)):
        parts = ", ".join((key % n if key else "") + f"*a{level - 1}" for n in range(each))
        lines.append(f"a{level}: &a{level} {opening}{parts}{closing}")
    return "\n".join(lines)


def the_bomb_of_the_issue(chance):
    lines = ["a0: &a0 [x, x, x]"]
    lines += [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 17)]
    return "\n".join(lines)


def long_text_often(chance):
    return "a: &a " + "x" * chance.randint(40_000, 60_000) + "\nb: [" + "*a, " * chance.randint(80, 5_000) + "*a]"


def aliases_in_a_row(chance):
    return "a0: &a0 [x]\n" + "\n".join(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, chance.randint(70, 2_000)))


def contains_itself(chance):
    return chance.choice(("a: &a [*a]", "&a {b: *a}", "&a [[[{x: [*a]}]]]", "&a {*a : 1}", "a: &a\n  <<: *a", "&a [&b [*a, *b]]", "a: *a"))


def tags(chance):
    return chance.choice(
        (
            "!!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[!!java.net.URL ['http://127.0.0.1:1/']]]]",
            "intents: !<tag:yaml.org,2002:java.lang.Runtime> x",
            "intents: !!java.io.File [/tmp/none]",
            "intents: !!python/object/apply:os.system ['true']",
            "intents: !!set {a, b}",
            "intents: !!omap [a: 1]",
            "intents: !!binary " + "A" * chance.randint(1, 60_000),
            '!!int "' + digits(chance, 300_000) + '"',
            "a: !!float '" + digits(chance, 300_000) + ".5'",
        )
    )


def merges(chance):
    return chance.choice(("base: &b {class: a}\nintents: [{<<: *b}]", "<<: {a: 1}\nb: 2", "a: &a {b: 1}\nc: {<<: [*a, *a]}"))


def deep_by_blanks(chance):
    return "".join(" " * n + "a:\n" for n in range(chance.randint(70, 900)))


def deep_dashes(chance):
    return "- " * chance.randint(70, 5_000) + "x"


def long_numbers_of_yaml(chance):
    return "priority: " + digits(chance, 1_000_000)


def strange_keys(chance):
    return chance.choice(("? [a, b]\n: c", "? {a: b}\n: c", "[a]: b", "? |\n  block\n: c", "null: 1\n~: 2", "1: 2\n1: 3"))


def two_documents(chance):
    return "intents: []\n---\nintents: []"


def no_yaml(chance):
    return chance.choice(("a:\n\t- b", "a: \x01", "%YAML 9.9\n--- {}", "a: 'x", "a: [", "@a: b", "a: b: c", "- a\nb", "&", "*", "a: |3\n x"))


def many_anchors(chance):
    return "\n".join(f"a{n}: &a{n} x" for n in range(size(chance, 60_000)))


SHARED_KINDS = (
    deep, deep_and_closed, long_number, big_exponent, long_text, long_key, given_twice, many_members, many_values, many_objects,
    half_a_character, broken_utf8, unknown_members,
)  # fmt: skip
JSON_KINDS = (*SHARED_KINDS, long_fraction, long_exponent, no_number, text_of_escapes, cut_off, nothing_of_the_kind, blanks, too_large)
YAML_KINDS = (
    bomb, the_bomb_of_the_issue, long_text_often, aliases_in_a_row, contains_itself, tags, merges, deep_by_blanks, deep_dashes,
    long_numbers_of_yaml, strange_keys, two_documents, no_yaml, many_anchors,
)  # fmt: skip
