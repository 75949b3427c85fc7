import os

from gitlab import Gitlab

gitlab = Gitlab(os.environ["ROLLCALL_BASE_URL"], private_token=os.environ["ROLLCALL_API_KEY"])
for project in gitlab.projects.list(iterator=True, pagination="keyset", order_by="id", membership="true", per_page=5):
    print(project.id)
