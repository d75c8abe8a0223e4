"""Runs the steps of a composite action as GitHub's runner does: composite_action.py FOLDER, with `INPUTS` and `EVENT` in JSON."""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

import yaml

folder = sys.argv[1]
with open(f"{folder}/action.yml", encoding="utf-8") as file:
    action = yaml.safe_load(file)
inputs = {name: about.get("default", "") for name, about in action["inputs"].items()}
for name, value in json.loads(os.environ["INPUTS"]).items():
    assert name in inputs, f"{name} is no input"
    inputs[name] = value
github = {"repository": os.environ["GITHUB_REPOSITORY"], "workspace": os.getcwd(), **json.loads(os.environ["EVENT"])}
environment = {**os.environ, "GITHUB_ACTION_PATH": folder, "GITHUB_WORKSPACE": os.getcwd()}
contexts = {"inputs": inputs, "github": github, "env": environment, "steps": {}}


def value_of(term):
    """The value of `'text'`, `a.b.c`, or of the first of them that is not empty."""
    for term in term.split("||"):
        value = term.strip()
        if value[0] != "'":
            path = value.split(".")
            value = contexts
            for name in path:
                value = value.get(name) or {}
            value = value or ""
        else:
            value = value[1:-1]
        if value:
            return str(value)
    return ""


def filled(text):
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: value_of(found[1]), str(text))


def is_wanted(step):
    condition = step.get("if", "'true' != ''").removeprefix("${{").removesuffix("}}")
    left, right = condition.split("!=")
    return value_of(left) != value_of(right)


def identity(variables):
    """What the action's script does: `core.getIDToken(audience)`, if the identity is wanted."""
    if variables["CC_USE_OIDC"] != "true" or environment.get("CC_FORK") == "true":
        return ""
    audience = urllib.parse.quote(variables["CC_OIDC_AUDIENCE"], safe="")
    request = urllib.request.Request(
        f"{environment['ACTIONS_ID_TOKEN_REQUEST_URL']}&audience={audience}",
        headers={"Authorization": f"Bearer {environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN']}"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["value"]


for step in filter(is_wanted, action["runs"]["steps"]):
    variables = {name: filled(text) for name, text in step.get("env", {}).items()}
    if "uses" in step:
        assert "core.getIDToken(process.env.CC_OIDC_AUDIENCE)" in step["with"]["script"], step
        contexts["steps"][step["id"]] = {"outputs": {"result": identity(variables)}}
        continue
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as later:
        subprocess.run(
            [step["shell"], "-e", "-c", filled(step["run"])],
            env={**environment, **variables, "GITHUB_ENV": later.name},
            cwd=filled(step.get("working-directory", "")) or None,
            check=True,
        )
        environment.update(line.rstrip("\n").split("=", 1) for line in later if "=" in line)
