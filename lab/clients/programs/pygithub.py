import os

from github import Auth, Github

github = Github(base_url=os.environ["ROLLCALL_BASE_URL"], auth=Auth.Token(os.environ["ROLLCALL_API_KEY"]), per_page=5)
for repository in github.get_user().get_repos():
    print(repository.id)
