// Keeps CHANGELOG.md in step with releases (docs/releasing.md). Runs without dependencies.
//
//   node scripts/changelog.mjs next-version
//   node scripts/changelog.mjs notes FILE VERSION_FILE
//   node scripts/changelog.mjs add FILE VERSION_FILE
//
// next-version prints the version of the newest section if it is not released yet, else the suggestion. notes replaces FILE, the notes made
// from commits, by the section of that version, if there is one. add puts FILE on top as the newest section, unless that version has one.
//
// next-version reads VERSION (the last release, 0.0.0 before the first) and SUGGESTED_BUMP (major, minor, patch, none), which projen sets.
import { readFileSync, writeFileSync } from 'node:fs';

const CHANGELOG = 'CHANGELOG.md';
/** `## 0.1.0`, or as commit-and-tag-version writes it: `### [0.1.1](https://…) (2027-01-31)`. */
const HEADING = /^#{2,3} \[?(\d+\.\d+\.\d+)(?![\w.-])/gm;

const [command, file, versionFile] = process.argv.slice(2);
const changelog = readFileSync(CHANGELOG, 'utf8');
const sections = sectionsOf(changelog);

switch (command) {
  case 'next-version': {
    const { VERSION: released = '0.0.0', SUGGESTED_BUMP: suggestion = 'none' } = process.env;
    const newest = sections[0]?.version;
    process.stdout.write(newest !== undefined && isNewer(newest, released) ? newest : suggestion);
    break;
  }
  case 'notes': {
    const section = sections.find(({ version }) => version === readFileSync(versionFile, 'utf8').trim());
    if (section !== undefined) writeFileSync(file, section.text);
    break;
  }
  case 'add': {
    const version = readFileSync(versionFile, 'utf8').trim();
    if (sections.some((section) => section.version === version)) break;
    const text = readFileSync(file, 'utf8');
    if (sectionsOf(text)[0]?.version !== version) throw new Error(`${file} has no section ${version}`);
    const at = sections[0]?.at ?? changelog.length;
    writeFileSync(CHANGELOG, `${changelog.slice(0, at).trimEnd()}\n\n${text.trim()}\n\n${changelog.slice(at)}`.replace(/\n+$/, '\n'));
    break;
  }
  default:
    console.error('changelog.mjs: next-version, notes FILE VERSION_FILE or add FILE VERSION_FILE');
    process.exitCode = 2;
}

/** The sections of versions from top to bottom, each with its heading. */
function sectionsOf(text) {
  const headings = [...text.matchAll(HEADING)];
  return headings.map(({ 1: version, index: at }, i) => ({ version, at, text: `${text.slice(at, headings[i + 1]?.index).trim()}\n` }));
}

function isNewer(version, other) {
  const [parts, others] = [version, other].map((text) => text.split('-')[0].split('.').map(Number));
  const first = parts.findIndex((part, i) => part !== others[i]);
  return first >= 0 && parts[first] > others[first];
}
