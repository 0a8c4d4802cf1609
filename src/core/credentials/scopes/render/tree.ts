import { noteOf, pictureOf, PictureCredential, PictureIdentity, roleTitle } from './picture';
import { printable } from '../../../graph/render/escape';
import type { Evaluation } from '../evaluate';
import { CredentialVerdict, IdentityReach, ResourceCredential } from '../facts';

/** Text styles, if the output supports them. */
export interface ReportStyle {
  bold(text: string): string;
  dim(text: string): string;
  bad(text: string): string;
}

const PLAIN: ReportStyle = { bold: (text) => text, dim: (text) => text, bad: (text) => text };

const MARKS: Readonly<Record<CredentialVerdict, string>> = {
  [CredentialVerdict.SUFFICIENT]: '✓',
  [CredentialVerdict.TOO_NARROW]: '✗',
  [CredentialVerdict.UNKNOWN]: '?',
  [CredentialVerdict.NO_CREDENTIAL]: '✗',
  [CredentialVerdict.NOT_APPLICABLE]: '·',
};

const REACH: Readonly<Record<IdentityReach, string>> = {
  [IdentityReach.ANY_NAMESPACE]: '⚠ any namespace can borrow it',
  [IdentityReach.NAMED_NAMESPACES]: 'only for named namespaces',
  [IdentityReach.SECRET_HOLDERS]: 'only with its secret',
  [IdentityReach.CONTROLLER_ONLY]: 'only for the controller itself',
  [IdentityReach.UNKNOWN]: 'who can use it is not known',
};

/** A line of a tree and its children. */
interface Branch {
  readonly text: string;
  readonly below: readonly Branch[];
}

/** The report as a tree: each principal with its roles and credentials; each resource with its verdict. */
export function credentialTree(evaluation: Evaluation, style: ReportStyle = PLAIN): string {
  const { identities, without, summary } = pictureOf(evaluation);
  const blocks = [
    ...identities.map((identity) => [
      ...identityHead(identity),
      ...linesOf([rolesBranch(identity), ...identity.credentials.map(credentialBranch)], ''),
    ]),
    ...(without.length === 0 ? [] : [[style.bold('(no credential here)'), ...linesOf(resourceBranches(without), '')]]),
    [summary],
  ];
  return blocks.map((block) => block.join('\n')).join('\n\n');

  function identityHead({ facts }: PictureIdentity): string[] {
    const reach = facts.reach === IdentityReach.ANY_NAMESPACE ? style.bad(REACH[facts.reach]) : REACH[facts.reach];
    return [
      `${style.bold(printable(facts.principal))}  ${reach}`,
      style.dim(`│  ${printable(facts.why)}`),
      ...facts.subjects.map((subject) => style.dim(`│  trusts ${printable(subject)}`)),
    ];
  }

  function rolesBranch({ facts: { roles } }: PictureIdentity): Branch {
    if (roles.length === 0) return { text: style.dim('no roles that are known here'), below: [] };
    return {
      text: 'roles',
      below: roles.map((role) => ({ text: `${printable(roleTitle(role))}${style.dim(`  ${printable(role.givenBy)}`)}`, below: [] })),
    };
  }

  function credentialBranch({ facts, resources }: PictureCredential): Branch {
    const { secret, level, mode, subscriptionId, writtenBy } = facts;
    const more = [
      `for ${level === 'namespace' ? 'its namespace' : level === 'global' ? 'all namespaces without one' : 'those that name it'}`,
      mode,
      ...(subscriptionId === undefined ? [] : [`subscription ${subscriptionId}`]),
      `written by ${writtenBy}`,
    ];
    return { text: `⚿ ${printable(secret)}${style.dim(`  ${printable(more.join(', '))}`)}`, below: resourceBranches(resources) };
  }

  /** A note that several resources share stands once, above them. */
  function resourceBranches(resources: readonly ResourceCredential[]): Branch[] {
    const notes = resources.map(noteOf);
    const shared = (note: string) => note !== '' && notes.filter((other) => other === note).length > 1;
    return notes.flatMap((note, index): Branch[] => {
      if (!shared(note)) return [resourceBranch(resources[index]!, note)];
      if (notes.indexOf(note) !== index) return [];
      const alike = resources.filter((_, other) => notes[other] === note);
      return [{ text: printable(note), below: alike.map((resource) => resourceBranch(resource, '')) }];
    });
  }

  function resourceBranch({ verdict, kind, name, namespace, secret }: ResourceCredential, note: string): Branch {
    const place = namespace === undefined || secret?.startsWith(`${namespace}/`) ? name : `${namespace}/${name}`;
    const bad = verdict === CredentialVerdict.TOO_NARROW || verdict === CredentialVerdict.NO_CREDENTIAL;
    const title = `${MARKS[verdict]} ${printable(`${kind} ${place}`)}`;
    return { text: `${bad ? style.bad(title) : title}${note === '' ? '' : `  ${printable(note)}`}`, below: [] };
  }

  function linesOf(branches: readonly Branch[], prefix: string): string[] {
    return branches.flatMap(({ text, below }, index) => {
      const last = index === branches.length - 1;
      return [`${style.dim(`${prefix}${last ? '└─ ' : '├─ '}`)}${text}`, ...linesOf(below, `${prefix}${last ? '   ' : '│  '}`)];
    });
  }
}
