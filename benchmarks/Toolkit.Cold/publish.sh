#!/usr/bin/env bash
# Publishes the program in the ways that users have, each into a folder of its own, for `--ways FOLDER`.
set -euo pipefail
folder="${1:?usage: publish.sh FOLDER}"
project="$(dirname "$0")"
for way in portable package setting ready ready-setting; do
    dotnet publish "$project" -c Release -r linux-x64 --no-self-contained -p:Way="$way" -o "$folder/$way"
done
dotnet publish "$project" -c Release -r linux-x64 -p:Way=native -o "$folder/native"
