"""Does with the generated client what a user would, and prints what came of it."""

from __future__ import annotations

import sys

import paceline_client
from paceline_client.exceptions import ApiException

NODE = ("web-browsing", "generated-python")


def priority(tree):
    return next((each.priority for each in tree.intents if (each.var_class, each.intent) == NODE), "none")


def main(address, login):
    name, password = login.split(":")
    client = paceline_client.ApiClient(paceline_client.Configuration(host=address, username=name, password=password))
    print("mode", paceline_client.StateApi(client).get_state().mode)

    intents = paceline_client.IntentsApi(client)
    intents.set_intent("/".join(NODE), paceline_client.IntentPolicy(priority=7), change_ticket="PYTHON-1")
    print("set", priority(intents.get_intents()))
    intents.remove_intent("/".join(NODE))
    print("removed", priority(intents.get_intents()))

    drafts, policy = paceline_client.DraftsApi(client), paceline_client.PolicyApi(client)
    tree = intents.get_intents()
    voip = next(each for each in tree.intents if each.var_class == "voip" and each.intent is None)
    voip.priority = (voip.priority or 8) + 1
    drafts.put_draft("generated-python", tree)
    print("nodes", drafts.compare_draft("generated-python").nodes)
    before = policy.get_policy().version
    # Without a body, which is optional.
    drafts.commit_draft("generated-python")
    print("versions", policy.get_policy().version - before)
    policy.roll_back_policy()

    wish = paceline_client.ReservationRequest(**{"from": "10.99.0.1", "to": "10.99.0.2", "rateKbps": 1000, "durationSeconds": 60})
    print("admitted", str(paceline_client.ReservationsApi(client).ask_reservation(wish).admitted).lower())
    try:
        intents.remove_intent("nobody")
    except ApiException as refused:
        print("refused", refused.status, refused.body)


if __name__ == "__main__":
    main(*sys.argv[1:])
