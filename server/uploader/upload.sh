#!/bin/sh
# Uploads the coverage of a CI job to a coverage dashboard:
#
#   curl -fsS https://coverage.example.com/upload.sh | sh -s -- [OPTIONS] [FILES…]
#
# Needs a POSIX shell with curl and tar, and git for changed lines. It calls the dashboard, the CI system that issues the job's
# identity, and through git the remote of the repository. Tokens are only ever written to the standard input of curl.
{ set +xv; } 2>/dev/null # a trace would print tokens into the job's log

public_url='' # the address of the dashboard that served this script

usage() {
    cat <<'EOF'
Usage: upload.sh [OPTIONS] [FILES…]; without FILES, coverage files are searched for below the top of the repository.
  --part P        the part of the commit's tests, such as unit; --parts A,B: all parts that the commit will have
  --finish        no further part will come; without a coverage file it needs --language
  --sources       also send the text of the measured source files; so does the setting: sources = true
  --language L, --org O, --repo R, --branch B, --commit C, --author A    instead of what was found
  --pull-request N, --target B, --base C    the same: the pull request, the branch that it goes to, the commit that the changes start from
  --fail-on WHAT  exit code 1 for: mine (the default): what you can fix; gate: also a failed gate; all: also an outage; none
  --dry-run       print what would be sent, and send nothing
Variables: COVERAGE_URL and COVERAGE_TOKEN; GITHUB_TOKEN, GITEA_TOKEN, FORGEJO_TOKEN or GITLAB_TOKEN for statuses and comments.
EOF
}

# Prints one line, without control characters, characters that change the direction of text, and what starts a command of a CI system.
say() {
    case $* in *[!\ -~]* | *##*) ;; *) printf 'coverage: %s\n' "$*" && return ;; esac # most lines need no filter
    # In UTF-8: U+200E, U+200F and U+202A to U+202E; U+2066 to U+2069; U+061C; the control characters from U+0080.
    { printf 'coverage: %s' "$*" | tr '\n\t' '  ' | tr -d '\000-\037\177' && echo; } |
        awk '{ gsub(/\342\200[\216\217\252-\256]|\342\201[\246-\251]|\330\234|\302[\200-\237]/, ""); gsub(/##+/, "#"); print }'
}
say_lines() { while IFS= read -r line; do say "$1$line"; done; }

# Notes a failure: mine (what the user can fix), outage or gate.
failed() { case $opt_fail_on:$1 in mine:mine | gate:mine | gate:gate | all:*) code=1 ;; esac }
die() { say "error: $*"; failed mine; exit "$code"; }

# --- JSON ---
# Prints a line for each value of a JSON text: its path, a tab, and the value as it is written. Leaves out the member data.
flat() {
    grep -oE '"([^"\\]|\\.)*"|[][{},:]|[^][{},:"[:space:]]+' | awk '
        function plain(s) { return s ~ /^"/ ? substr(s, 2, length(s) - 2) : s }
        $0 == "{" || $0 == "[" { is_list[++depth] = ($0 == "["); key[depth] = 0; is_key = ($0 == "{"); next }
        $0 == "}" || $0 == "]" { depth--; is_key = 0; next }
        $0 == "," { if (is_list[depth]) key[depth]++; else is_key = 1; next }
        is_key && $0 != ":" { key[depth] = plain($0); is_key = 0; next }
        $0 != ":" && key[1] != "data" {
            path = key[1]
            for (i = 2; i <= depth; i++) path = path "." key[i]
            print path "\t" plain($0)
        }'
}

# Prints the values of a path, which is a regular expression, in the last flat text. \uXXXX stays as it is written.
of() {
    sed -n "s/^$1$tab//p" "$work/flat" | awk '$0 != "null" {
        done = ""
        while (i = index($0, "\\")) {
            c = substr($0, i + 1, 1)
            done = done substr($0, 1, i - 1) (c == "n" ? "\n" : c == "u" ? "\\u" : c ~ /[bfrt]/ ? " " : c)
            $0 = substr($0, i + 2)
        }
        print done $0
    }'
}

# --- the CI system ---
# Prints the first of some variables that is not empty. The names come from the table below.
first() {
    IFS=,
    for name in $1; do
        [ "$name" != - ] && eval "text=\$$name" && [ -n "$text" ] && printf '%s' "$text" && return
    done
}

# A name such as acme/payments, of such a name or of the address of a repository.
slug_of() { printf '%s\n' "$1" | sed -e 's,^[a-z+]*://[^/]*/,,' -e 's,^[^/]*@[^:/]*:/*,,' -e 's,/$,,' -e 's,\.git$,,' -e 's,/_git/,/,'; }

# Each row: a variable that only this system sets; the repository, commit, branch, pull request, target, base commit and author.
find_ci() {
    system='' slug='' commit='' branch='' pull='' target='' base='' author='' is_fork='' api='' forge_token='' forge_name='' head='' tag='' run='' before='' default='' from=''
    # shellcheck disable=SC2034 # read by first
    case $CI in woodpecker) woodpecker=1 ;; *) woodpecker='' ;; esac
    while [ -z "$system" ] && read -r key a b c d e f g; do
        [ -z "$(first "$key")" ] || system=$key slug=$(first "$a") commit=$(first "$b") branch=$(first "$c") pull=$(first "$d") target=$(first "$e") base=$(first "$f") author=$(first "$g")
    done <<'EOF'
GITHUB_ACTIONS,GITEA_ACTIONS,FORGEJO_ACTIONS GITHUB_REPOSITORY GITHUB_SHA GITHUB_HEAD_REF,GITHUB_REF_NAME - GITHUB_BASE_REF - GITHUB_ACTOR
GITLAB_CI CI_PROJECT_PATH CI_MERGE_REQUEST_SOURCE_BRANCH_SHA,CI_COMMIT_SHA CI_MERGE_REQUEST_SOURCE_BRANCH_NAME,CI_COMMIT_BRANCH CI_MERGE_REQUEST_IID CI_MERGE_REQUEST_TARGET_BRANCH_NAME CI_MERGE_REQUEST_DIFF_BASE_SHA GITLAB_USER_LOGIN
JENKINS_URL GIT_URL GIT_COMMIT CHANGE_BRANCH,BRANCH_NAME,GIT_BRANCH CHANGE_ID CHANGE_TARGET - CHANGE_AUTHOR
CIRCLECI - CIRCLE_SHA1 CIRCLE_BRANCH CIRCLE_PR_NUMBER,CIRCLE_PULL_REQUEST - - CIRCLE_USERNAME
TF_BUILD BUILD_REPOSITORY_NAME SYSTEM_PULLREQUEST_SOURCECOMMITID,BUILD_SOURCEVERSION SYSTEM_PULLREQUEST_SOURCEBRANCH,BUILD_SOURCEBRANCH SYSTEM_PULLREQUEST_PULLREQUESTNUMBER,SYSTEM_PULLREQUEST_PULLREQUESTID SYSTEM_PULLREQUEST_TARGETBRANCH - BUILD_SOURCEVERSIONAUTHOR
BITBUCKET_BUILD_NUMBER BITBUCKET_REPO_FULL_NAME BITBUCKET_COMMIT BITBUCKET_BRANCH BITBUCKET_PR_ID BITBUCKET_PR_DESTINATION_BRANCH BITBUCKET_PR_DESTINATION_COMMIT -
BUILDKITE BUILDKITE_REPO BUILDKITE_COMMIT BUILDKITE_BRANCH BUILDKITE_PULL_REQUEST BUILDKITE_PULL_REQUEST_BASE_BRANCH - BUILDKITE_BUILD_AUTHOR
DRONE,HARNESS_BUILD_ID DRONE_REPO,CI_REPO DRONE_COMMIT_SHA DRONE_SOURCE_BRANCH,DRONE_BRANCH,DRONE_COMMIT_BRANCH DRONE_PULL_REQUEST DRONE_TARGET_BRANCH - DRONE_COMMIT_AUTHOR
woodpecker CI_REPO CI_COMMIT_SHA CI_COMMIT_SOURCE_BRANCH,CI_COMMIT_BRANCH CI_COMMIT_PULL_REQUEST CI_COMMIT_TARGET_BRANCH - CI_COMMIT_AUTHOR
TRAVIS TRAVIS_REPO_SLUG TRAVIS_PULL_REQUEST_SHA,TRAVIS_COMMIT TRAVIS_PULL_REQUEST_BRANCH,TRAVIS_BRANCH TRAVIS_PULL_REQUEST TRAVIS_BRANCH - -
APPVEYOR APPVEYOR_REPO_NAME APPVEYOR_PULL_REQUEST_HEAD_COMMIT,APPVEYOR_REPO_COMMIT APPVEYOR_PULL_REQUEST_HEAD_REPO_BRANCH,APPVEYOR_REPO_BRANCH APPVEYOR_PULL_REQUEST_NUMBER APPVEYOR_REPO_BRANCH - APPVEYOR_REPO_COMMIT_AUTHOR
CIRRUS_CI CIRRUS_REPO_FULL_NAME CIRRUS_CHANGE_IN_REPO CIRRUS_BRANCH CIRRUS_PR CIRRUS_BASE_BRANCH CIRRUS_BASE_SHA -
CODEBUILD_CI CODEBUILD_SOURCE_REPO_URL CODEBUILD_RESOLVED_SOURCE_VERSION CODEBUILD_WEBHOOK_HEAD_REF CODEBUILD_SOURCE_VERSION CODEBUILD_WEBHOOK_BASE_REF - -
TEAMCITY_VERSION - BUILD_VCS_NUMBER BRANCH_NAME - - - -
EOF
    case $system in
    GITHUB*) forge_name=GITHUB_TOKEN api=$GITHUB_API_URL forge_token=${FORGEJO_TOKEN:-${GITEA_TOKEN:-$GITHUB_TOKEN}} run=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID
        case $GITHUB_REF in refs/heads/gh-readonly-queue/*/pr-*-*) head=queue base=${GITHUB_REF##*-} target=${GITHUB_REF#refs/heads/*/} target=${target%/pr-*} ;; refs/tags/*) branch=$GITHUB_REF ;; refs/pull/*) pull=${GITHUB_REF#refs/pull/} pull=${pull%%/*} ;; esac
        [ ! -f "$GITHUB_EVENT_PATH" ] || { flat <"$GITHUB_EVENT_PATH" >"$work/flat" && before=$(of before) && default=$(of repository.default_branch); }
        if [ "$head" = queue ]; then [ ! -f "$GITHUB_EVENT_PATH" ] || base=$(of merge_group.base_sha | grep . || echo "$base")
        elif [ -n "$target" ] && [ -f "$GITHUB_EVENT_PATH" ]; then
            head=$(of pull_request.head.sha) base=$(of pull_request.base.sha) from=$(of pull_request.head.repo.full_name)
            from=${from:-${head:+deleted}}
            pull=${pull:-$(of pull_request.number)} commit=${head:-$commit}
        elif [ "$GITHUB_EVENT_NAME" = workflow_run ]; then
            # The job runs on the main branch, for a commit of another branch. The event has no pull request number for branches of forks.
            commit=$(of workflow_run.head_sha) branch=$(of workflow_run.head_branch) pull=$(of workflow_run.pull_requests.0.number) target=$(of workflow_run.pull_requests.0.base.ref) before=''
            [ "$(of workflow_run.head_repository.full_name)" = "$slug" ] || { from=$(of workflow_run.head_repository.owner.login) && branch=${from:-deleted}:$branch && from=''; }
        fi ;;
    GITLAB*) api=$CI_API_V4_URL forge_token=$GITLAB_TOKEN forge_name=GITLAB_TOKEN tag=$CI_COMMIT_TAG
        if [ "$CI_MERGE_REQUEST_EVENT_TYPE" = merge_train ]; then head=train commit=$CI_COMMIT_SHA branch=$CI_MERGE_REQUEST_REF_PATH; else [ "$CI_MERGE_REQUEST_SOURCE_PROJECT_PATH" = "$CI_MERGE_REQUEST_PROJECT_PATH" ] || is_fork=1; fi ;;
    JENKINS*) branch=${branch#origin/} is_fork=$CHANGE_FORK ;;
    CIRCLECI) slug=$CIRCLE_PROJECT_USERNAME/$CIRCLE_PROJECT_REPONAME tag=$CIRCLE_TAG is_fork=$CIRCLE_PR_NUMBER ;;
    TF_BUILD) run="$SYSTEM_COLLECTIONURI$SYSTEM_TEAMPROJECT/_build/results?buildId=$BUILD_BUILDID" && [ "$SYSTEM_PULLREQUEST_ISFORK" != True ] || is_fork=1 ;;
    BITBUCKET*) tag=$BITBUCKET_TAG run=$BITBUCKET_GIT_HTTP_ORIGIN/pipelines/results/$BITBUCKET_BUILD_NUMBER ;;
    TRAVIS) from=${TRAVIS_PULL_REQUEST_SLUG:-unknown} ;;
    APPVEYOR) from=${APPVEYOR_PULL_REQUEST_HEAD_REPO_NAME:-unknown} ;;
    BUILDKITE) from=${BUILDKITE_PULL_REQUEST_REPO:-unknown} ;;
    DRONE* | woodpecker) from=unknown ;;
    CODEBUILD*) from=unknown && [ "${pull#pr/}" != "$pull" ] || pull='' ;; # or the name of a branch
    esac
    pull=${opt_pull_request:-${pull##*/}} branch=${branch#refs/heads/} branch=${branch:-${tag:+refs/tags/$tag}} branch=${branch:-$(git branch --show-current 2>/dev/null)}
    case $head:$pull in queue:) ;; *: | *:*[!0-9]*) pull='' target='' base='' ;; esac # some systems say false
    target=${opt_target:-$target} target=${target#refs/heads/} base=$([ -n "$opt_target" ] || echo "$base")
    case $base in *[!0-9a-f]*) base='' ;; esac
    run=${run:-$(first CI_JOB_URL,CI_PIPELINE_URL,BUILD_URL,CIRCLE_BUILD_URL,BUILDKITE_BUILD_URL,DRONE_BUILD_LINK,TRAVIS_BUILD_WEB_URL,CODEBUILD_PUBLIC_BUILD_URL)}
    before=${before:-$(first CI_COMMIT_BEFORE_SHA,GIT_PREVIOUS_COMMIT,DRONE_COMMIT_BEFORE,CI_PREV_COMMIT_SHA,CODEBUILD_WEBHOOK_PREV_COMMIT,TRAVIS_COMMIT_RANGE)} before=${before%%.*}
    default=${default:-$(first CI_DEFAULT_BRANCH,CI_REPO_DEFAULT_BRANCH,DRONE_REPO_BRANCH,BUILDKITE_PIPELINE_DEFAULT_BRANCH,CIRRUS_DEFAULT_BRANCH)}
    case $before in *[!0-9a-f]* | 0000000*) before='' ;; esac
    case $run in *[!!-~]* | *@*) run='' ;; http*://?*) ;; *) run='' ;; esac
    # A branch of a fork may have the name of the main branch, and not every system states the repository of a branch.
    slug=$(slug_of "${slug:-$(git config remote.origin.url 2>/dev/null)}")
    [ -z "$pull" ] || [ -z "$from" ] || [ "$(slug_of "$from")" = "$slug" ] || is_fork=1
    [ "$commit" != HEAD ] || commit='' # Buildkite's, for the newest commit of the branch
    [ -z "$pull" ] || { [ -z "$is_fork" ] && [ "$branch" != "$target" ]; } || branch=pull/$pull
    [ -z "$COVERAGE_NO_PULL" ] || pull='' target='' base='' # the Action's skip_pr_comment
}

# --- git ---
find_git() {
    root=$PWD measured='' tree='' checkout='' why_no_changes='git is not installed; install it in the image of the job'
    command -v git >/dev/null 2>&1 || return
    # In a container the checkout may belong to another user, and git does not trust it. The job runs its tests in it anyway.
    git rev-parse --show-toplevel >"$work/top" 2>"$work/error" || {
        why_no_changes=$(cat "$work/error") count=${GIT_CONFIG_COUNT:-0}
        case $why_no_changes in *dubious*) ;; *) why_no_changes="$why_no_changes; run the script in a checkout" && return ;; esac
        export "GIT_CONFIG_KEY_$count=safe.directory" "GIT_CONFIG_VALUE_$count=*" "GIT_CONFIG_COUNT=$((count + 1))"
        git rev-parse --show-toplevel >"$work/top" 2>/dev/null || return
    }
    root=$(cat "$work/top") why_no_changes='git has no commit'
    cd "$root" || return
    measured=$(git rev-parse --verify --quiet HEAD) && tree=$(git rev-parse 'HEAD^{tree}') && checkout=$(git rev-parse --git-path logs/HEAD) why_no_changes=''
}

# Finds the settings of the repository. pytest-cov deletes the file with the former name.
find_settings() {
    for place in job commit; do
        for name in coverage-dashboard.toml .config/coverage-dashboard.toml .coverage.toml; do
            case $place in job) cat "$name" ;; *) git show "HEAD:$name" ;; esac >"$work/settings" 2>/dev/null || continue
            [ "$place" = job ] || say "notice: the job has deleted $name; the committed file is sent"
            [ "$name" != .coverage.toml ] || say 'notice: rename .coverage.toml to coverage-dashboard.toml: pytest-cov, and coverage erase in parallel mode, delete .coverage.*'
            return
        done
    done
    rm -f "$work/settings"
}

# Finds the CODEOWNERS file that the forge uses. The service does not read the regular expressions of Gitea and Forgejo.
find_owners() {
    [ -z "$GITEA_ACTIONS$FORGEJO_ACTIONS" ] || return
    places='.github/CODEOWNERS CODEOWNERS docs/CODEOWNERS'
    [ -z "$GITLAB_CI" ] || places='CODEOWNERS docs/CODEOWNERS .gitlab/CODEOWNERS'
    for name in $places; do
        if [ -f "$name" ]; then cp "$name" "$work/owners" && return; fi
    done
}

# Fetches a commit or a branch from the remote, without its history if the clone has none.
fetch() {
    [ "$(git rev-parse --is-shallow-repository)" = true ] && depth=--depth=1 || depth=--no-tags
    git -c http.lowSpeedLimit=1 -c http.lowSpeedTime=20 fetch --quiet --no-tags "$depth" origin "$1" >/dev/null 2>&1
}

# Is this commit in the clone, or can it be fetched?
has() { [ -n "$1" ] && { git cat-file -e "$1^{commit}" 2>/dev/null || fetch "$1"; }; }

# A commit names its parents even in a shallow clone.
parents_of() { git cat-file commit "$1" | sed -n '/^$/q; s/^parent //p' | tr '\n' ' '; }

# Writes what has changed since the base: only the names of files and the numbers of lines, no text.
# Ignores attributes, which may declare any file binary, and the settings of the command git diff.
write_changes() {
    base_tree=$(git rev-parse "$base^{tree}") && rm -f "$work/failed" || return
    { git -c core.quotePath=off diff-tree -r -p -U0 -M --text --no-color --no-ext-diff --no-textconv --ignore-submodules=none --src-prefix=a/ --dst-prefix=b/ \
        "$base" HEAD || : >"$work/failed"; } | awk '/^diff --git / { is_head = 1 } /^@@ / { is_head = 0; sub(/ @@.*/, " @@"); print } is_head' >"$work/changes"
    [ ! -f "$work/failed" ]
}

# Finds the head of the pull request and the commit that it starts from. --base and --target also name them for a push.
find_pull_base() {
    parents=$(parents_of HEAD) one=${parents%% *} two=${parents#* } two=${two%% *} merged=''
    [ -z "$two" ] || case $commit:$system:$head:$GITHUB_REF in
    "$two":* | "$measured":GITLAB_CI:train:*) merged=$one ;;
    "$one":*) merged=$two ;; # the target was merged into the branch
    # Did the CI system make this merge? GitHub has a ref for it. In Jenkins, no branch of the remote has it.
    "$measured":GITHUB*::refs/pull/*/merge) merged=$one commit=$two ;;
    "$measured":JENKINS*) [ -n "$(git for-each-ref --points-at HEAD refs/remotes)" ] || merged=$one commit=$two ;;
    esac
    if [ -n "$opt_base" ]; then
        has "$opt_base" && base=$(git rev-parse --verify --quiet "$opt_base^{commit}" || git rev-parse FETCH_HEAD) || base=''
        [ -n "$base" ] || why_no_changes="--base $opt_base is no commit of this clone, and cannot be fetched"
    elif [ -n "$merged" ]; then
        base=$merged
    elif case $system:$head:$base in GITLAB_CI:*:?* | *:queue:?*) false ;; esac; then
        tip=refs/remotes/origin/${target:-HEAD}
        git rev-parse --verify --quiet "$tip^{commit}" >/dev/null || { [ -n "$target" ] && fetch "refs/heads/$target" && tip=FETCH_HEAD; } || tip=$base
        base=$(git merge-base HEAD "$tip" 2>/dev/null) || why_no_changes="git cannot find where the branch left ${target:-its target}"
        [ -n "$base" ] || [ "$(git rev-parse --is-shallow-repository)" != true ] || why_no_changes="$why_no_changes; fetch its whole history (fetch-depth: 0, GIT_DEPTH: 0)"
    fi
    [ -z "$base" ] || { has "$base" && write_changes; } || base='' base_tree='' why_no_changes='the base commit cannot be fetched'
}

# Finds the base of a push: the commit that the service names, else on the main branch the parent. On other branches, a second push
# would hide the untested lines of the first; the parent is used there only if parts are carried forward, which need its changes.
find_push_base() {
    answered='' parent=${ancestors%%,*}
    if [ -z "$opt_dry_run" ] && [ "${branch#refs/tags/}" = "$branch" ]; then
        route=/base forms=''
        set_query org_name "$org" repo_name "$repo" branch_name "$branch" language "$found" commit_hash "$commit" ancestors "$ancestors" vcs_api_url "$api"
        [ "$(request 10 10)" != 200 ] || { flat <"$work/answer" >"$work/flat" && answered=$(of commit_hash); }
        case $answered in -* | *[!0-9a-f]*) answered='' ;; esac
    fi
    [ "$branch" = "$default" ] || [ -n "$carries" ] || parent=''
    base='' why=''
    [ "$branch" != "$default" ] || why='there is no commit before it'
    for base in $answered $parent; do
        { [ "$base" = "$compared" ] || { has "$base" && write_changes; }; } && compared=$base && return
        why='the commit before it cannot be fetched'
    done
    base='' base_tree='' compared='' why_no_changes=${why:-$why_no_changes}
}

# --- coverage files ---
find_files() {
    find "$root" \( -name .git -o -name node_modules -o -name vendor -o -name .venv -o -name .tox \) -prune -o -type f -size +0 \( \
        -name lcov.info -o -name '*.lcov' -o -name coverage.info -o -name coverage.xml -o -name '*[Cc]obertura*.xml' -o -name 'jacoco*.xml' \
        -o -name clover.xml -o -name '*.opencover.xml' -o -name coverage.out -o -name cover.out -o -name '*.coverprofile' \
        -o -name coverage-final.json -o -name coverage.json -o -name .resultset.json -o -path '*/TestResults/*/coverage.*.xml' \
        -o -path '*/site/jacoco*/*.xml' -o -path '*/reports/jacoco/*.xml' -o -path '*/reports/coverage/*.xml' -o -path '*/reports/kover/*.xml' \) -exec ls -1t {} + 2>/dev/null
}

# Prints the beginning of a coverage file for line-oriented tools, also if it is in UTF-16 or from Windows.
text_of() { head -c "$2" "$1" 2>/dev/null | tr -d '\000\r\357\273\277\376\377'; }

# Guesses the language by the names of source files in a coverage file. The most frequent known language is used.
language_of() {
    names=$(text_of "$1" 8000000 | grep -aoE '\.[A-Za-z]{1,6}("|:|$)' | tr -d '".:' | sort | uniq -c | sort -k1,1nr -k2 | sed 's/.* //')
    for name in $names; do
        case $name in
        js | jsx | mjs | cjs | vue | svelte | ts | tsx | mts) { echo "$names" | grep -qxE 'm?tsx?' && echo typescript; } || echo javascript ;;
        c | cc | cpp | cxx | hpp) { echo "$names" | grep -qxE 'cc|[ch]pp|cxx' && echo c++; } || echo c ;;
        rs) echo rust ;; py) echo python ;; rb) echo ruby ;; kt) echo kotlin ;; cs) echo 'c#' ;; fs) echo 'f#' ;; ex) echo elixir ;;
        go | java | scala | groovy | php | vb | swift | dart | lua) echo "$name" ;;
        *) continue ;;
        esac
        return
    done
}

# The first path that a coverage file names, in the order of the alphabet.
first_path() { text_of "$1" 8000000 | grep -aoE '[^":=<>[:space:]]+\.[A-Za-z]{1,6}("|:|$)' | grep -avE '\.(dtd|xsd|com|net|org)("|:|$)' | sort | sed -n 1p; }

# The name of a part: its folders, without folders whose names change from run to run (GUIDs, hashes, times, numbers of runs).
name_of() {
    printf '%s' "$1" | tr '[:upper:]' '[:lower:]' | tr / '\n' |
        grep -avE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(^|[._-])[0-9a-f]{7,}($|[._-])|[0-9]{8}|[0-9]{4}[._-][0-9]{1,2}[._-][0-9]{1,2}' |
        tr '\n' - | tr -c 'a-z0-9._-' - | sed -e 's/^[^a-z0-9]*//' -e 's/-$//' | cut -c 1-40
}

# Writes a line for each upload: its language, part and file. Files of one run in several formats are one part, and the most detailed one
# is sent: files with equal names, and files that tools such as istanbul write together. Other files of a folder are parts of their own.
choose_files() {
    begins='<(coverage|report|CoverageSession|scoverage|results|Root)[ >]|^(TN|SF):|^mode: |"(statementMap|files|coverage|data)"'
    while IFS= read -r file; do
        [ -n "$is_named" ] || text_of "$file" 4096 | grep -qaE "$begins" || continue
        folder=${file%/*} stem=${file##*/} group=$file measures=$(first_path "$file") found=${opt_language:-$(language_of "$file")}
        case $stem in coverage-final.json | clover.xml | cobertura-coverage.xml | cobertura.xml) stem=lcov ;; .resultset.json) stem=coverage ;; esac
        stem=${stem%.*} stem=${stem%.cobertura} stem=${stem%.opencover}
        # A project may also have files of older runs. The newest file comes first here.
        case $folder in */TestResults/*) folder=${folder%%/TestResults/*} group=$folder/$measures ;; *) group=$folder ;; esac
        folder=${folder#"$root"} folder=${folder#/}
        [ -z "$is_named" ] || group=$file
        case $file in *coverage-final.json | *.opencover.xml) rank=1 ;; *.lcov | *.info) rank=2 ;; *clover.xml) rank=4 ;; *) rank=3 ;; esac
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "${found:--}" "$group" "${stem:--}" "$rank" "${folder:-.}" "${measures:--}" "$file"
    done <"$work/found" | sort -t "$tab" -s -k1,3 -k4,4n >"$work/ranked"
    # shellcheck disable=SC2094 # awk only reads
    while IFS=$tab read -r found group stem rank folder measures file; do
        if [ "$found" = - ]; then
            say "${file#"$root"/} names no source file of a known language: add --language"
            [ -z "$is_named" ] || failed mine
        elif [ "$found $group $stem" = "$last" ]; then
            say "${file#"$root"/} is left out: ${kept#"$root"/} is in the same folder"
        else
            last="$found $group $stem" kept=$file
            [ "$(awk -F "$tab" -v f="$found" -v d="$folder" '$1 == f && $5 == d { stems[$3] } END { for (stem in stems) n++; print n }' "$work/ranked")" = 1 ] || folder=$folder/$stem
            name=$(name_of "$folder") name=${opt_part:+$opt_part-}${name:-root}
            printf '%s\t%s\t%s\t%s\n' "$found" "$name" "$measures" "$file" >>"$work/picked"
        fi
    done <"$work/ranked"
    # Equal names are numbered by the first path, so that a second run has the same names.
    sort -t "$tab" -k1,4 "$work/picked" | awk -F "$tab" -v OFS="$tab" '{ n = ++seen[$1, $2]; print $1, $2 (n > 1 ? "-" n : ""), $4 }' >"$work/chosen"
}

# Finds the HTML report of a coverage file, and packs both without links, which the service refuses.
find_html() {
    html='' near=${1%/*} own=lcov-report
    case $is_named${near#"$root"} in 1/?* | *coverage* | *htmlcov* | *jacoco* | *kover*) own=. ;; esac
    for page in "$near/$own/index.html" "$near"/lcov-report/index.html "$near"/htmlcov/index.html "$near"/html/index.html "$near"/coverage/lcov-report/index.html \
        "$near"/coverage/index.html "$near"/target/llvm-cov/html/index.html "$near"/*-report.html "$near"/cover.html "$near"/coverage.html; do
        [ -n "$html" ] || [ ! -f "$page" ] || html=${page%/index.html} html=${html%/.}
    done
}
pack() {
    rm -rf "$work/pack" && mkdir "$work/pack" || return 1
    report=${1##*/}
    case $report in -* | *[!A-Za-z0-9._-]*) report=coverage-file ;; esac
    [ -z "$html" ] || { cp -R "$html" "$work/pack/" && find "$work/pack" ! -type d ! -type f -exec rm -f {} +; } || return 1
    cp "$1" "$work/pack/$report" && COPYFILE_DISABLE=1 tar -czf "$work/archive" -C "$work/pack" .
}

# Packs the source files whose names occur in a coverage file, as they are in the checkout. The service keeps those whose paths it names.
pack_sources() {
    git -c core.quotePath=off ls-files >"$work/tracked"
    text_of "$1" 500000000 | tr '/\\":=<>,\t\r' '\n\n\n\n\n\n\n\n\n\n' | awk '
        NR == FNR && /^"|\\/ { next } # names that git or tar would quote
        NR == FNR { name = $0; sub(/.*\//, "", name); files[name] = files[name] $0 "\n"; next }
        $0 in files { printf "%s", files[$0]; delete files[$0] }' "$work/tracked" - |
        while IFS= read -r name; do [ ! -f "$name" ] || [ -L "$name" ] || printf './%s\n' "$name"; done >"$work/named"
    [ ! -s "$work/named" ] || COPYFILE_DISABLE=1 tar -czf "$work/sources" -T "$work/named" 2>"$work/error" || {
        rm -f "$work/sources" && say "notice: the source text cannot be packed: $(cat "$work/error")"
    }
}

# --- tokens ---
# Refuses characters that would end a value in curl's configuration.
check_token() { case $2 in *[!\ -~]* | *[\"\\]*) die "$1 has a character that no token has, such as a line break or a quote" ;; esac }

# Uses COVERAGE_TOKEN, else the identity of the job, else the job's token of the forge.
find_token() {
    is_bot='' && case $GITHUB_ACTOR in dependabot*) is_bot=1 ;; esac
    token=$COVERAGE_TOKEN token_kind=COVERAGE_TOKEN forge_header=''
    if [ -z "$token" ] && [ -n "$ACTIONS_ID_TOKEN_REQUEST_URL" ] && [ -n "$ACTIONS_ID_TOKEN_REQUEST_TOKEN" ]; then
        token_kind='the identity of the job'
        check_token ACTIONS_ID_TOKEN_REQUEST "$ACTIONS_ID_TOKEN_REQUEST_URL$ACTIONS_ID_TOKEN_REQUEST_TOKEN"
        [ -n "$opt_dry_run" ] || token=$(get_identity) || die 'the CI system did not issue an identity'
    elif [ -z "$token" ]; then
        token=$forge_token token_kind="the job's token of the forge"
    fi
    check_token "$token_kind" "$token" && check_token "the job's token of the forge" "$forge_token"
    [ -z "$forge_token" ] || [ "$token" = "$forge_token" ] || forge_header="header = \"Forge-Authorization: Bearer $forge_token\""
    [ -z "$token$opt_dry_run" ] || return
    [ -n "$is_fork$pull$is_bot" ] || die "there is no token: set COVERAGE_TOKEN${GITHUB_ACTIONS:+, or permissions: id-token: write if the operator has listed the issuer}"
    say 'warning: not uploaded: a pull request from a fork gets no token, and Dependabot gets only its own secrets; coverage-dashboard check can judge it in the job'
    exit "$code"
}
get_identity() {
    curl --config - --silent --max-time 20 --retry 2 --proto '=http,https' <<EOF | flat | sed -n "s/^value$tab//p" | grep .
header = "Authorization: Bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN"
url = "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=$(encode "${public_url:-$url}")"
EOF
}

# --- the upload ---
# Encodes a value for a query, byte for byte.
encode() {
    case $1 in *[!A-Za-z0-9._-]*) printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g' ;; *) printf '%s' "$1" ;; esac
}

# Sends the request once and prints the HTTP status. Gives up after $1 seconds without progress, and after $2 seconds in total.
request() {
    cd "$work" && : >answer && : >headers && curl --config - --silent --show-error --output answer --dump-header headers --write-out '%{http_code}' \
        --proto '=http,https' --connect-timeout "$1" --speed-limit 1 --speed-time "$1" --max-time "$2" 2>error <<EOF
url = "$url/coverages-api$route?$query"
header = "Authorization: Bearer $token"
$forge_header
$forms
EOF
}

# Sends the request until it is answered, with 60 seconds for all retries. Sets outcome to ok, mine or outage, and reason.
send() {
    end=$(($(date +%s) + 60)) pause=1
    while :; do
        left=$((end - $(date +%s)))
        status=$(request $((left < 30 ? left : 30)) 900)
        case $?:$status in
        *:408 | *:425 | *:429 | *:5??) outcome=outage ;;
        *:[34]?? | [123]:* | 26:* | 43:* | 5[1389]:* | 60:* | 77:* | 8[03]:* | 9[01]:*) outcome=mine ;; # curl: addresses, files, certificates
        0:2??) outcome=ok ;;
        *) outcome=outage ;;
        esac
        reason="the answer was HTTP $status"
        [ "$status" != 000 ] || reason=$(sed -n '$p' "$work/error")
        after=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]\{1,4\}\)[^0-9]*$/\1/p' "$work/headers" | sed -n '$p')
        [ "${after:-0}" -le "$pause" ] || pause=$after
        [ "$outcome" = outage ] && [ $(($(date +%s) + pause + 5)) -le "$end" ] || return 0
        sleep "$pause" && pause=$((pause * 2))
    done
}

# Sets the query of a request to these names and values.
set_query() {
    query='' plain=''
    while [ $# -gt 0 ]; do
        [ -z "$2" ] || query="$query$1=$(encode "$2")&" plain="$plain $1=$2"
        shift 2
    done
}

# Uploads one coverage file. Without a file, announces that no further part will come.
upload() {
    route='' forms='request = POST' html='' report='' report_folder='' shown='no further part'
    if [ -n "$file" ]; then
        find_html "$file"
        shown="${file#"$root"/}${html:+ with ${html#"$root"/}}"
        [ -z "$checkout" ] || [ -z "$(find "$checkout" -newer "$file" 2>/dev/null)" ] ||
            say "warning: ${file#"$root"/} is older than the checkout; if no earlier job wrote it, the tests did not run"
        case $file in "$root"/*/*) [ -z "$measured" ] || { report_folder=${file#"$root"/} && report_folder=${report_folder%/*}; } ;; esac
        pack "$file" 2>"$work/error" || die "${file#"$root"/} cannot be packed: $(cat "$work/error")"
        rm -f "$work/sources"
        [ -z "$opt_sources" ] || [ -z "$measured" ] || pack_sources "$file"
        [ ! -f "$work/sources" ] || shown="$shown, source files: $(grep -c . <"$work/named")"
        forms='form = "file=@archive"'
        [ -z "$base" ] || [ -z "$COVERAGE_CHANGED_FILES" ] || sed -n "s,$tab\$,,; s,^+++ b/,,p" "$work/changes" >"$COVERAGE_CHANGED_FILES"
        for name in paths settings owners sources; do [ ! -s "$work/$name" ] || forms="$forms${nl}form = \"$name=@$name\""; done
        [ -z "$base" ] || [ ! -f "$work/changes" ] || forms="$forms${nl}form = \"changes=@changes\"" # an empty file: nothing has changed
    fi
    say "$found${as_part:+, part $as_part}: $shown"
    set_query org_name "$org" repo_name "$repo" branch_name "$branch" commit_hash "$commit" commit_author "$author" language "$found" \
        coverage_xml_file_name "$report" part "$as_part" parts "$expected" vcs_api_url "$api" pull_request "$pull" target_branch "$target" \
        tree_hash "$tree" base_commit "$base" base_tree "$base_tree" run_url "$run" finish "$finish" root "${measured:+$root}" report_folder "$report_folder" summary 1
    [ -n "$opt_dry_run" ] && say "would send with $token_kind${forge_header:+ and the token of the forge}:$plain" && return
    send && tell
}

# Prints the answer of the service.
tell() {
    flat <"$work/answer" >"$work/flat"
    # A fork or Dependabot gets a token of the forge that may lack rights. A refusal fails only with --fail-on all.
    case $outcome:$status:$token:${is_fork:-$is_bot} in mine:40[13]:"$forge_token":?*) outcome=foreign ;; esac
    [ "$outcome" != ok ] || grep -q "^coverage\(\.id\)\{0,1\}$tab" "$work/flat" || outcome=mine reason='the answer is not from a coverage dashboard, perhaps from a proxy or a login page'
    if [ "$outcome" != ok ]; then
        detail=$(of detail)
        say "$([ "$outcome" = mine ] && echo error || echo warning): not uploaded to $url: $reason${detail:+: $detail}$([ "$outcome$opt_fail_on" = outageall ] || [ "$outcome" = mine ] || echo "; the job goes on; --fail-on all makes it fail")"
        failed "$outcome"
        case $worst in failed | incomplete) ;; *) worst=unknown ;; esac
        output "verdict=$worst"
        return
    fi
    percentage=$(of coverage.percentage) link=$(of summary.url) verdict=$(of summary.gate.verdict) markdown=$(of summary.markdown)
    [ -z "$(of summary.changed_lines.coverable)" ] || knows_changes=1
    [ -z "$(of summary.paths.matched)" ] || knows_paths=1
    delta=$(of summary.delta) text=$(of summary.text) text=${text:-${percentage:-noted, but the commit has no record yet}}
    say "$text"
    say "gate: ${verdict:-no rule is set}"
    of 'summary\.gate\.reasons\.[0-9]*' | say_lines '  '
    of 'summary\.gate\.skipped\.[0-9]*' | say_lines '  skipped: '
    { of 'summary\.notices\.[0-9]*' && sed -n 's/^[Xx]-[Cc]overage-[Nn]otice: *//p' "$work/headers"; } | say_lines 'notice: '
    sed -n 's/^[Xx]-[Cc]overage-[Cc]omment: *//p' "$work/headers" | say_lines 'comment on the pull request: '
    [ -z "$link" ] || say "$link"
    [ "$verdict" != failed ] || failed gate
    printf '%s\n\n' "${markdown:-$found: $text}" >"$work/summary"
}

# Adds to the outputs of the job.
output() {
    [ -z "${COVERAGE_OUTPUT:-$GITHUB_OUTPUT}" ] || for line in "$@"; do printf '%s\n' "${line%%"$nl"*}"; done >>"${COVERAGE_OUTPUT:-$GITHUB_OUTPUT}"
}

# Writes the last answer of a language to the summary and the outputs of the job. The verdict of several languages is the worst;
# it is unknown if an upload failed.
conclude() {
    [ -f "$work/summary" ] || return 0
    case $worst:$verdict in *failed*) worst=failed ;; *incomplete*) worst=incomplete ;; *unknown*) worst=unknown ;; *passed*) worst=passed ;; esac
    [ -z "$GITHUB_STEP_SUMMARY" ] || { cat "$work/summary" >>"$GITHUB_STEP_SUMMARY" && say 'written to the summary of the job'; }
    rm -f "$work/summary"
    output "percentage=$percentage" "delta=$delta" "verdict=$worst" "url=$link"
}

main() {
    export LC_ALL=C GIT_TERMINAL_PROMPT=0 && umask 077
    tab=$(printf '\t') nl=$(printf '\n.') nl=${nl%.}
    code=0 opt_fail_on=mine opt_dry_run='' opt_sources='' opt_finish='' opt_part='' opt_parts='' opt_language='' opt_org='' opt_repo='' opt_branch='' opt_commit='' opt_author='' opt_pull_request='' opt_target='' opt_base='' count=$#
    while [ "$count" -gt 0 ]; do
        option=$1 count=$((count - 1)) && shift
        case $option in --?*=*) set -- "${option#*=}" "$@" && option=${option%%=*} count=$((count + 1)) ;; esac
        case $option in
        --finish) opt_finish=1 ;; --sources) opt_sources=1 ;; --dry-run) opt_dry_run=1 ;; --help) usage && exit 0 ;;
        --part | --parts | --language | --org | --repo | --branch | --commit | --author | --pull-request | --target | --base | --fail-on)
            [ "$count" -gt 0 ] || die "$option needs a value"
            eval "opt_$(echo "${option#--}" | tr - _)=\$1" && count=$((count - 1)) && shift ;;
        -*) die "unknown option $option; see --help" ;;
        *) set -- "$@" "$option" ;; # a file
        esac
    done
    case $opt_fail_on in mine | gate | all | none) ;; *) opt_fail_on=mine && die '--fail-on is mine, gate, all or none' ;; esac
    case $opt_pull_request in *[!0-9]*) die '--pull-request is a number' ;; esac
    case $opt_base in -*) die '--base is not a commit' ;; esac
    url=${COVERAGE_URL:-$public_url} url=${url%/}
    case $url in *[!A-Za-z0-9._~:/@%[\]-]*) die 'COVERAGE_URL has a character that no address has' ;; http*://?*) ;; *) die 'set COVERAGE_URL to the address of the dashboard' ;; esac
    work=$(mktemp -d) || die 'no temporary folder can be created'
    trap 'rm -rf "$work"' EXIT && trap 'exit 129' HUP INT TERM
    unset GIT_DIFF_OPTS GIT_EXTERNAL_DIFF
    is_named='' base_tree='' missing='' last='' kept='' seen='' compared='' worst='' knows_changes='' knows_paths='' carries='' ancestors='' && : >"$work/found" && : >"$work/picked"
    for file in "$@"; do
        is_named=1
        [ -f "$file" ] || die "$file is not a file"
        case $file in *"$nl"*) die "$file has a line break in its name" ;; /*) echo "$file" ;; *) echo "$(pwd -P)/$file" ;; esac >>"$work/found"
    done
    find_git
    [ -n "$is_named" ] || find_files >"$work/found"
    find_ci
    [ "$opt_commit" != HEAD ] || opt_commit=$measured
    commit=${commit:-$measured}
    if [ -n "$measured" ] && [ -n "$pull$target$opt_target$opt_base" ]; then
        find_pull_base
    elif [ -n "$measured" ]; then
        # The first parents that the clone knows, and the tip before the push.
        known=$(git rev-list --first-parent --max-count=49 HEAD) oldest=$(parents_of "${known##*"$nl"}")
        ancestors=$(for name in $known "${oldest%% *}" "$before"; do [ -z "$name" ] || [ "$name" = "$measured" ] || echo "$name"; done | tr '\n' ,) ancestors=${ancestors%,}
        default=${default:-$(git symbolic-ref --quiet --short refs/remotes/origin/HEAD)} default=${default#origin/}
    fi
    [ "${slug%/*}" != "$slug" ] || slug=/$slug
    org=${opt_org:-${slug%/*}} repo=${opt_repo:-${slug##*/}} commit=${opt_commit:-$commit} branch=${opt_branch:-$branch}
    for name in org repo branch commit; do eval "[ -n \"\$$name\" ]" || missing="$missing --$name $(echo $name | tr '[:lower:]' '[:upper:]')"; done
    [ -z "$missing" ] || die "$([ -n "$measured" ] && echo 'neither git nor the CI system names it' || echo "$why_no_changes"): end the line with: | sh -s --$missing"
    case $commit in -* | *[!A-Za-z0-9._-]*) die 'the commit is not an identifier' ;; esac
    author=${opt_author:-$(git -c log.showSignature=false log -1 --format=%an "$commit" -- 2>/dev/null | grep . || echo "${author:-unknown}")}
    say "$org/$repo, branch $branch, commit $commit${pull:+, pull request $pull}"
    find_token
    if [ -n "$measured" ]; then { git ls-files -z | gzip >"$work/paths"; } 2>/dev/null || git ls-files -z >"$work/paths"; fi
    find_settings
    find_owners
    ! grep -qs '^ *carry *=' "$work/settings" || carries=1
    ! grep -qs '^ *sources *= *true' "$work/settings" || opt_sources=1
    choose_files
    while IFS=$tab read -r found name file <&3; do
        seen=1 parts=$(awk -F "$tab" -v l="$found" '$1 == l { print $2 }' <"$work/chosen")
        as_part=$opt_part expected=$opt_parts finish='' is_last=''
        [ "$parts" = "$name" ] || as_part=$name expected=$(echo "$parts" | tr '\n' ,)$opt_parts expected=${expected%,}
        [ "$name" != "${parts##*"$nl"}" ] || is_last=1 finish=$opt_finish
        [ -z "$measured" ] || [ -n "$pull$target$opt_target$opt_base" ] || find_push_base
        upload
        [ -z "$is_last" ] || conclude
    done 3<"$work/chosen"
    if [ -z "$seen" ]; then
        { [ -n "$opt_finish" ] && [ -n "$opt_language" ]; } || die "no coverage file was found in $root or its folders: give the path of the file, or run the tests with coverage first"
        found=$opt_language file='' as_part='' expected=$opt_parts finish=1
        upload
        conclude
    fi
    [ -z "$why_no_changes" ] || [ -z "$seen" ] || [ -n "$knows_changes" ] || say "notice: the changed lines are unknown: $why_no_changes"
    [ -n "$measured" ] || [ -z "$opt_sources" ] || say "notice: the source text is not sent: $why_no_changes"
    [ -n "$measured$knows_paths" ] || [ -z "$seen" ] || say "notice: the paths of the repository are unknown: $why_no_changes"
    [ -z "$pull" ] || [ -n "$forge_token" ] || say "no commit status and no comment: the job passes no token of the forge in ${forge_name:-GITHUB_TOKEN or GITLAB_TOKEN}"
    exit "$code"
}
main "$@"
