#!/bin/sh
# Backs up the SQLite database of Rollcall, verifies the copy, and then deletes the oldest copies. docs/backups.md describes it.
#   ROLLCALL_DB     the database
#   BACKUP_FOLDER   the folder of the copies
#   BACKUP_KEEP     the number of verified copies to keep, 1 or more (default: 14)
# A copy has the name rollcall-<time>.db once `rollcall check` has found no errors in it. If a step fails, nothing is deleted.
set -eu
umask 077

fail() {
  echo "rollcall-backup: $*" >&2
  exit 1
}
keep=${BACKUP_KEEP:-14}
case $keep in
  '' | *[!0-9]* | 0*) fail "BACKUP_KEEP is $keep; it must be a whole number, 1 or more." ;;
esac
case ${ROLLCALL_DB:?} in
  *://*) fail 'ROLLCALL_DB is not a file. Back up PostgreSQL with pg_dump.' ;;
esac
folder=${BACKUP_FOLDER:?}
mkdir -p "$folder"

# One run at a time. The lock ends with this process, however it ends.
exec 9> "$folder/.lock"
flock -n 9 || fail 'Another backup is running.'

# Of an earlier run that was killed.
rm -f "$folder"/unverified-rollcall-*

name=rollcall-$(date -u +%Y-%m-%dT%H%M%SZ).db
copy=$folder/$name
[ ! -e "$copy" ] || fail "$copy already exists."
unverified=$folder/unverified-$name
trap 'rm -f "$unverified"*' EXIT
rollcall backup "$unverified" --db "$ROLLCALL_DB"
rollcall check --db "$unverified"
mv "$unverified" "$copy"
sync "$folder"

# The new copy is always kept, even if the clock was set back. The names sort like the times.
stamp='[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9][0-9][0-9][0-9][0-9]Z'
for old in "$folder"/rollcall-$stamp.db; do
  [ "$old" = "$copy" ] || echo "$old"
done | sort -r | tail -n "+$keep" | while IFS= read -r old; do
  rm -f "$old"
  echo "Deleted $old."
done
