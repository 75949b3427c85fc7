"""Eve on the rows of rows.json in this folder, in mongomock: `python eve_rows.py PORT`."""
import json
import sys

import eve.io.mongo.flask_pymongo
import mongomock
from eve import Eve

eve.io.mongo.flask_pymongo.MongoClient = mongomock.MongoClient
app = Eve(
    settings={
        "MONGO_DBNAME": "lab",
        "RENDERERS": ["eve.render.JSONRenderer"],
        "DOMAIN": {"rows": {"schema": {"name": {"type": "string"}}}},
    }
)
with open("rows.json") as file, app.app_context():
    app.data.driver.db.rows.insert_many([{"name": row["name"]} for row in json.load(file)["rows"]])
app.run(host="127.0.0.1", port=int(sys.argv[1]))
