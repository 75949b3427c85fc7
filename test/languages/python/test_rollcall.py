"""What a team that writes Python tests of its own code: here, of the answers alone."""

import os
import subprocess
import sys
import unittest
from http.client import IncompleteRead
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from rollcall import ANSWER_SECONDS, START_SECONDS, Rollcall

SEED = os.environ["SEED"]


class AutomationsTest(unittest.TestCase):
    def setUp(self):
        self.server = Rollcall(SEED, "python-suite")
        self.addCleanup(lambda: self.server and self.server.stop())

    def names(self, limit):
        """Walks the list, page by page."""
        names, after = [], ""
        while True:
            status, _, page = self.server.get(f"/automations?limit={limit}{after}")
            self.assertEqual(200, status)
            names += [it["name"] for it in page["data"]]
            if not page["has_more"]:
                return names
            after = f"&after={page['data'][-1]['id']}"

    def test_pages_hold_every_record_once(self):
        self.assertEqual(["Welcome", "Review request", "Cart left", "Win back", "Birthday"], self.names(2))

    def test_a_collection_without_a_file_is_empty(self):
        _, _, page = self.server.get("/contact-properties")
        self.assertEqual({"object": "list", "has_more": False, "data": []}, page)

    def test_a_fault_is_met_as_often_as_was_asked(self):
        status, _, _ = self.server.fail(status=429, retryAfter=7, operation="listAutomations", times=2)
        self.assertEqual(204, status)
        for _ in range(2):
            status, headers, problem = self.server.get("/automations")
            self.assertEqual((429, "7", "rate_limit_exceeded"), (status, headers["Retry-After"], problem["name"]))
        self.assertEqual(200, self.server.get("/automations")[0])

    def test_a_body_that_is_cut_off(self):
        self.server.fail(body="cut")
        self.assertRaises(IncompleteRead, self.server.get, "/automations")

    def test_faults_are_cleared(self):
        self.server.fail(error="service_unavailable", times="always")
        self.assertEqual(503, self.server.get("/automations")[0])
        self.server.no_faults()
        self.assertEqual(200, self.server.get("/automations")[0])

    def test_a_fault_that_there_is_not_is_refused(self):
        status, _, problem = self.server.fail(status=418)
        self.assertEqual(422, status)
        self.assertIn("There is no error of status 418.", problem["message"])

    def test_it_ends_with_a_suite_that_is_killed(self):
        script = "import sys; from rollcall import Rollcall; it = Rollcall(sys.argv[1], 'k'); print(it.url, flush=True); input()"
        pipe = subprocess.PIPE
        suite = subprocess.Popen([sys.executable, "-c", script, SEED], stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.addCleanup(suite.kill)
        url = suite.stdout.readline().strip()
        self.assertRaises(HTTPError, urlopen, url + "/automations", timeout=ANSWER_SECONDS)  # There is no key: it answers.
        suite.kill()
        suite.communicate(timeout=START_SECONDS)  # The server has the same standard error: that ends with both.
        with self.assertRaises(URLError) as refused:
            urlopen(url + "/automations", timeout=ANSWER_SECONDS)
        self.assertNotIsInstance(refused.exception, HTTPError)

    def test_it_stops(self):
        server, self.server = self.server, None
        self.assertEqual(0, server.stop())
        self.assertRaises(OSError, server.get, "/automations")


if __name__ == "__main__":
    unittest.main()
