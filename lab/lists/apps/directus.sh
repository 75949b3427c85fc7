# Directus on the database of $DATABASE.
set -e
export DB_CONNECTION_STRING="$DATABASE"
directus bootstrap
exec directus start
