#!/usr/bin/env bash
# Checks rules with text searches: paths and tests named in documents exist, layers do not import upper layers, files stay small.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$repo"

broken=0
complain() {
    echo "$*" >&2
    broken=1
}

# A path is a word that begins with a folder of the repository.
mapfile -t documents < <(git ls-files --cached --others --exclude-standard README.md ARCHITECTURE.md CONTRIBUTING.md \
    'docs/src/*.md' 'docs/src/design/*.md')
for document in "${documents[@]}"; do
    while read -r path; do
        path=${path%.}
        [ -e "$path" ] || [ -e "server/src/$path" ] || [ -e "server/store/src/${path#store/}" ] || complain "$document names $path, which does not exist"
    done < <(grep -oE '(^|[^a-z0-9_./-])(app|frontend|server|migrations|style|end2end|scripts|ingest|routes|store)/[a-z0-9_./-]+' "$document" |
        sed 's/^[^a-z]//' | sort -u)
done

# A test is a name in backticks of at least four words that is not an error code.
# shellcheck disable=SC2016 # the backticks belong to the text
while read -r test; do
    git grep --quiet --word-regexp -e "fn $test" -e "\"$test\"" -- 'server/*.rs' 'app/*.rs' || complain "no test is called $test"
done < <(grep -hoE '`[a-z0-9]+(_[a-z0-9]+){3,}`' ARCHITECTURE.md docs/src/security-review.md server/ARCHIVES.md | tr -d '`' | sort -u)

# A name without a test would run nothing.
while read -r test; do
    git grep --quiet --word-regexp -e "fn ${test##*::}" -- 'server/tests/it/*.rs' || complain "server/tests/on_postgres.txt names $test, which does not exist"
done < <(sed '/^#/d' server/tests/on_postgres.txt)

# The feature sql reads the types from columns.
if grep -rnE '\b(leptos|sqlx|axum|tokio|std::fs|std::net)::' app/domain/src --exclude=sql.rs | grep -v 'cfg_attr(feature = "sql"'; then
    complain "app/domain must contain plain types and pure functions only"
fi

# frontend/src/lib.rs lists the modules in numbered rows: each imports only modules of the rows above its own.
declare -A row
while read -r number modules; do
    for module in $modules; do row[$module]=$number; done
done < <(sed -nE 's@^//! ([0-9]+)\. ([^:]*).*@\1 \2@p' frontend/src/lib.rs | tr -d '`,')
for file in frontend/src/*.rs frontend/src/*/*.rs; do
    module=$(cut -d/ -f3 <<<"${file%.rs}")
    [ "$module" != lib ] || continue
    for used in $(tr -d '\n' <"$file" | grep -oE 'crate::(\{[^;]*|[a-z_]+)' | grep -oE '[a-z_]+' | sort -u); do
        [ "$used" = "$module" ] || [ "${row[$used]:-0}" -lt "${row[$module]:-0}" ] || complain "$file imports $used, which is not in a row above its own in frontend/src/lib.rs"
    done
done

if have python3; then
    scripts/check-imports.py || broken=1
else
    say "circles of imports: not checked, python3 is missing"
fi

# Only one place makes SQL from text, and it binds all values. Tests may use any SQL.
if grep -rn 'AssertSqlSafe' server --include='*.rs' | grep -vE '^server/store/src/(sql|same_tables|plans)\.rs:|^server/tests/|/tests\.rs:'; then
    complain "only server/store/src/sql.rs may make SQL from text"
fi

# leptos does not escape titles. Only one helper, which escapes them, writes to the head of pages.
if grep -rnE 'leptos_meta::|<(Title|Meta|Link|Html|Body)[ />]' app/src --include='*.rs' |
    grep -vE '^app/src/(components/page_head|testing)\.rs:|leptos_meta::\{MetaTags, provide_meta_context\};'; then
    complain "only app/src/components/page_head.rs may write titles, descriptions and og: tags"
fi

# The uploader is one file, because jobs download it as one file.
while read -r lines file; do
    [ "$file" = total ] || [ "$lines" -le 400 ] || { [ "$file" = server/uploader/upload.sh ] && [ "$lines" -le 575 ]; } || complain "$file has $lines lines: split it"
done < <(git ls-files '*.rs' '*.ts' '*.css' '*.sh' | grep -v '/tests/' | xargs wc -l)

for document in README.md ARCHITECTURE.md; do
    [ "$(wc -l <"$document")" -le 150 ] || complain "$document has more than 150 lines: move text to the manual in docs/src"
done

exit "$broken"
