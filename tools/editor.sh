#!/bin/sh
# Renews the editor of programs: tools/editor.sh
# Puts the packages of tools/editor/package-lock.json together into one file of the site, their licences beside it.
# Needs node and npm. Other versions: change tools/editor/package.json, run with UPDATE=1, and read what differs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
vendor=$here/../src/nomopoly/site/static/nomopoly/vendor
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/editor/* "$work"
cd "$work"
if [ "${UPDATE:-}" ]; then
    npm install --ignore-scripts --no-fund --no-audit --omit-lockfile-registry-resolved
    cp package-lock.json "$here/editor/"
else
    npm ci --ignore-scripts --no-fund --no-audit
fi
npx --no-install esbuild codemirror.js --bundle --minify --format=esm --target=es2022 --legal-comments=none \
    --metafile=meta.json --outfile="$vendor/codemirror.js"
node - >"$vendor/codemirror.LICENSE.txt" <<'PROGRAM'
const { readFileSync } = require("fs");
const inputs = Object.keys(JSON.parse(readFileSync("meta.json")).inputs);
const names = new Set(inputs.map((path) => /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean));
const packages = [...names].sort().map((name) => {
  const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`));
  return { title: `${name} ${version} (${license})`, text: readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim() };
});
const texts = [...new Set(packages.map((each) => each.text))];
console.log("codemirror.js is made of these packages by tools/editor.sh:\n");
for (const text of texts) {
  for (const each of packages) if (each.text === text) console.log(each.title);
  console.log(`\n${text}\n`);
}
PROGRAM
ls -l "$vendor"/codemirror.*
