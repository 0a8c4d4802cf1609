import { byNamespace } from './mermaid';
import { noteOf, pictureOf, PictureCredential, PictureIdentity, roleTitle } from './picture';
import { dotString, printable, xml } from '../../../graph/render/escape';
import type { Evaluation } from '../evaluate';
import { CredentialVerdict, IdentityReach, ResourceCredential } from '../facts';

const FONT = 'Helvetica,Arial,sans-serif';
const LONGEST_LINE = 58;
const GREY = '#475569';
const RED = '#dc2626';

interface Look {
  readonly ground: string;
  readonly text: string;
  readonly mark: string;
}

const LOOKS: Readonly<Record<CredentialVerdict, Look>> = {
  [CredentialVerdict.SUFFICIENT]: { ground: '#d1fae5', text: '#064e3b', mark: '✓' },
  [CredentialVerdict.TOO_NARROW]: { ground: '#fee2e2', text: '#7f1d1d', mark: '✗' },
  [CredentialVerdict.UNKNOWN]: { ground: '#f1f5f9', text: '#334155', mark: '?' },
  [CredentialVerdict.NO_CREDENTIAL]: { ground: '#fee2e2', text: '#7f1d1d', mark: '✗' },
  [CredentialVerdict.NOT_APPLICABLE]: { ground: '#f8fafc', text: '#334155', mark: '·' },
};

/** The report as Graphviz DOT: principals with their roles, the Secrets that name them, and the resources of each namespace. */
export function credentialDot(evaluation: Evaluation): string {
  const { identities, without, summary } = pictureOf(evaluation);
  const lines: string[] = [];
  identities.forEach((identity, index) => {
    const principal = `p${index}`;
    lines.push(principalNode(principal, identity));
    identity.credentials.forEach((credential, at) => {
      const secret = `s${index}_${at}`;
      lines.push(
        secretNode(secret, credential),
        `  ${principal} -> ${secret} [color="${identity.facts.reach === IdentityReach.ANY_NAMESPACE ? RED : GREY}"]`,
      );
      lines.push(...tables(`r${index}_${at}`, credential.resources, secret));
    });
  });
  lines.push(...tables('none', without, undefined));
  return [
    'digraph "credentials" {',
    `  graph [rankdir=LR bgcolor="#ffffff" fontname="${FONT}" fontsize=10 fontcolor="${GREY}" nodesep=0.25 ranksep=0.6 pad=0.3 tooltip=" "]`,
    `  node [shape=plain fontname="${FONT}" fontsize=11]`,
    `  edge [arrowsize=0.7 penwidth=1.2 color="${GREY}"]`,
    ...lines,
    `  labelloc=b label=${dotString(summary)}`,
    '}',
  ].join('\n');
}

function principalNode(id: string, { facts }: PictureIdentity): string {
  const borrowable = facts.reach === IdentityReach.ANY_NAMESPACE;
  const rows = [
    ...broken(facts.principal).map((line) => row(line, 11, '#1e3a8a', true)),
    ...(facts.roles.length === 0
      ? [row('no roles that are known here', 9, GREY)]
      : facts.roles.flatMap((role) => broken(roleTitle(role)).map((line) => row(line, 9, '#1e3a8a')))),
    ...(borrowable ? [row('⚠ any namespace can borrow it', 9, RED, true)] : broken(facts.why).map((line) => row(line, 8, GREY))),
  ];
  return `  ${id} [label=<${table(rows, '#eff4ff', borrowable ? RED : '#2563eb', borrowable ? 2 : 1)}> tooltip=${dotString([facts.why, ...facts.subjects].join(' · '))}]`;
}

function secretNode(id: string, { facts }: PictureCredential): string {
  const { secret, mode, level, subscriptionId, writtenBy } = facts;
  const rows = [
    row(`Secret, ${level}`, 9, '#713f12'),
    row(secret, 11, '#713f12', true),
    row(mode, 9, '#713f12'),
    ...broken(`by ${writtenBy}`).map((line) => row(line, 8, GREY)),
  ];
  return `  ${id} [label=<${table(rows, '#fef9e7', '#b7791f', 1)}> tooltip=${dotString(subscriptionId === undefined ? 'subscription not known' : `subscription ${subscriptionId}`)}]`;
}

/** A table for each namespace, with a row for each resource. */
function tables(prefix: string, resources: readonly ResourceCredential[], secret: string | undefined): string[] {
  return byNamespace(resources).flatMap(([namespace, those], index) => {
    const id = `${prefix}_${index}`;
    const head = row(secret === undefined ? `namespace ${namespace}: no credential here` : `namespace ${namespace}`, 10, GREY);
    const rows = [head, ...those.flatMap(resourceRows)];
    return [`  ${id} [label=<${table(rows, '#ffffff', '#cbd5e1', 1, false)}>]`, ...(secret === undefined ? [] : [`  ${secret} -> ${id}`])];
  });
}

/** Mark, kind and name side by side, and the note below them. */
function resourceRows(resource: ResourceCredential): string[] {
  const { ground, text, mark } = LOOKS[resource.verdict];
  const note = noteOf(resource);
  const cells =
    cell(mark, 10, text, { ground }) + cell(resource.kind, 10, text, { ground }) + cell(resource.name, 10, text, { ground, bold: true });
  return [cells, ...(note === '' ? [] : broken(note).map((line) => cell(line, 9, text, { ground, columns: 3 })))];
}

function row(text: string, size: number, colour: string, bold = false): string {
  return cell(text, size, colour, { bold, columns: 3 });
}

interface CellLook {
  readonly ground?: string;
  readonly bold?: boolean;
  readonly columns?: number;
}

/** Graphviz measures text as Helvetica; the viewer may substitute another, wider font. */
function cell(text: string, size: number, colour: string, { ground, bold = false, columns = 1 }: CellLook): string {
  const width = Math.ceil(text.length * size * (bold ? 0.64 : 0.6));
  const look = `ALIGN="LEFT" WIDTH="${width}"${columns > 1 ? ` COLSPAN="${columns}"` : ''}${ground === undefined ? '' : ` BGCOLOR="${ground}"`}`;
  return `<TD ${look}><FONT POINT-SIZE="${size}" COLOR="${colour}">${bold ? `<B>${xml(text)}</B>` : xml(text)}</FONT></TD>`;
}

function table(rows: readonly string[], ground: string, line: string, border: number, rounded = true): string {
  const body = rows.map((cells) => `<TR>${cells}</TR>`).join('');
  return `<TABLE BORDER="${border}"${rounded ? ' STYLE="ROUNDED"' : ''} CELLBORDER="0" CELLSPACING="0" CELLPADDING="3" BGCOLOR="${ground}" COLOR="${line}">${body}</TABLE>`;
}

/** Breaks a long text into lines, at the end of a word or a segment. */
function broken(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of printable(text).split(/(?<=[ /,])/)) {
    if (line !== '' && line.length + word.length > LONGEST_LINE) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += word;
  }
  return [...lines, line];
}
