import * as fc from 'fast-check';
import { format } from 'mysql2';
import { privilegeChanges } from '../../../controller/databases/mysql/privileges';
import * as mysql from '../../../controller/databases/mysql/statements';
import * as postgres from '../../../controller/databases/postgresql/statements';
import { redacted } from '../../../controller/databases/redact';
import { allOf, changesBetween } from '../../../controller/databases/set-difference';
import * as sql from '../../../controller/databases/sqlserver/statements';
import { checkName, checkPassword, unsafeSequence } from '../../../controller/databases/unsafe-characters';

/** Texts with much of what matters in them. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom("'", '"', '`', '\\', ']', '[', ';', '--', '/*', '?', '@', '%', '\n', 'é', '😀', ' '),
      fc.string({ maxLength: 3 }),
    ),
  )
  .map((parts) => parts.join(''));

describe('docs/spec/users.md#unsafe-characters: the filter', () => {
  test.each([["'", "a'b"], ['"', 'a"b'], [';', 'a;b'], ['--', 'a--b'], ['/*', 'a/*b']])('forbidden sequence %s', (sequence, text) => {
    expect(unsafeSequence(text)).toEqual({ sequence, position: 1 });
    expect(() => checkName('the user name', text)).toThrow(`contains ${JSON.stringify(sequence)} at position 1`);
  });
  test.each(['a\\b', 'a`b', 'a[b]', 'a b', 'a*/b', 'a-b'])('not forbidden: %s', (text) =>
    expect(checkPassword(checkName('the user name', text))).toBe(text),
  );
  test('result of passwords: neither text nor position', () => {
    fc.assert(
      fc.property(
        hostile.filter((text) => unsafeSequence(text) !== undefined),
        fc.string({ minLength: 6, maxLength: 9 }),
        (text, own) => {
          let said = '';
          try {
            checkPassword(`${own}${text}`);
          } catch (error) {
            said = (error as Error).message;
          }
          expect(said).toBe(
            'the password of spec.localUser.password contains a sequence that is not allowed: choose one without \' " ; -- and /*',
          );
        },
      ),
    );
  });
});

describe('escaping', () => {
  test('PostgreSQL: an identifier and a literal end where they end', () => {
    fc.assert(fc.property(hostile, (text) => {
      const identifier = postgres.identifier(text);
      expect(identifier.slice(1, -1).replaceAll('""', '')).not.toContain('"');
      expect(identifier.slice(1, -1).replaceAll('""', '"')).toBe(text);
      const [, escapes, inner] = /^(E?)'([\s\S]*)'$/.exec(postgres.literal(text))!;
      const read = inner!.replaceAll("''", "'");
      expect(inner!.replaceAll("''", '')).not.toContain("'");
      expect(escapes ? read.replaceAll('\\\\', '\\') : read).toBe(text);
    }));
  });

  test('SQL Server: brackets and literals end where they end', () => {
    fc.assert(fc.property(hostile, (text) => {
      const inner = sql.bracketed(text).slice(1, -1);
      expect(inner.replaceAll(']]', '')).not.toContain(']');
      expect(inner.replaceAll(']]', ']')).toBe(text);
      expect(sql.literal(text).slice(2, -1).replaceAll("''", '')).not.toContain("'");
    }));
  });

  test('docs/spec/users.md#mysql-statements: escaping: the name of a database is one identifier, whatever placeholders are in it', () => {
    fc.assert(fc.property(hostile, hostile, (database, user) => {
      const { text, values } = mysql.grant(['SELECT'], { database }, { user, host: '%' });
      const statement = format(text, [...values!] as string[]);
      const target = `\`${database.replaceAll('`', '``')}\`.*`;
      expect(statement.startsWith(`GRANT SELECT ON ${target} TO '`)).toBe(true);
      expect(statement.endsWith("'@'%'")).toBe(true);
    }));
  });
});

describe('docs/spec/users.md#mysql-statements', () => {
  const account = { user: "o'x", host: '10.%' };
  const shape = ({ text, values }: { text: string; values?: readonly unknown[] }) => format(text, [...values ?? []] as string[]);
  const rows: [row: string, statement: string, expected: string][] = [
    ['create local user', shape(mysql.createUser(account, 'p\\w')), "CREATE USER IF NOT EXISTS 'o\\'x'@'10.%' IDENTIFIED BY 'p\\\\w'"],
    ['align password', shape(mysql.alignPassword(account, 'pw')), "ALTER USER IF EXISTS 'o\\'x'@'10.%' IDENTIFIED BY 'pw'"],
    ['create Entra user', shape(mysql.createEntraUser('me@x.y', 'me')), "CREATE AADUSER IF NOT EXISTS 'me@x.y' AS 'me'"],
    ['existence', shape(mysql.findUser(account)), "SELECT User FROM mysql.user WHERE User = 'o\\'x' AND Host = '10.%'"],
    ['drop', shape(mysql.dropUser(account)), "DROP USER IF EXISTS 'o\\'x'@'10.%'"],
    [
      'grant',
      shape(mysql.grant(['PROCESS', 'SHOW DATABASES'], 'server', account)),
      "GRANT PROCESS,SHOW DATABASES ON *.* TO 'o\\'x'@'10.%'",
    ],
    ['revoke', shape(mysql.revoke(['SELECT'], { database: 'a`b' }, account)), "REVOKE SELECT ON `a``b`.* FROM 'o\\'x'@'10.%'"],
  ];
  test.each(rows)('row %s', (_, statement, expected) => expect(statement).toBe(expected));
});

describe('docs/spec/users.md#mysql-privileges', () => {
  const rows: [row: string, current: string[], desired: string[], add: string[], remove: string[]][] = [
    ['ALL', ['SELECT', 'EVENT'], ['select', 'aLL'], ['ALL'], []],
    ['in desired, not in current', ['SELECT'], ['SELECT', 'INSERT'], ['INSERT'], []],
    ['in current, not in desired', ['SELECT', 'EVENT'], ['SELECT'], [], ['EVENT']],
    ['comparison (M1)', ['SELECT', 'SHOW VIEW'], ['select', ' show  view '], [], []],
    ['USAGE', ['USAGE'], [], [], []],
    ['USAGE desired', ['SELECT'], ['USAGE'], [], ['SELECT']],
    ['empty', ['SELECT', 'USAGE'], [], [], ['SELECT']],
  ];
  test.each(rows)('row %s', (_, current, desired, add, remove) => expect(privilegeChanges(current, desired)).toEqual({ add, remove }));
});

describe('docs/spec/users.md#postgresql-statements', () => {
  const rows: [row: string, text: string | undefined, expected: string | undefined][] = [
    ['2a', postgres.createUser('a"b', "p'w").text, 'CREATE USER "a""b" WITH PASSWORD \'p\'\'w\''],
    ['2b', postgres.alignPassword('ab', 'p\\w').text, 'ALTER USER "ab" WITH PASSWORD E\'p\\\\w\''],
    [
      '4 all differ',
      postgres.setOptions(
        'u',
        { login: false, createRole: false, createDb: true, replication: false },
        { login: true, createRole: true, createDb: false, replication: true },
      )?.text,
      'ALTER ROLE "u" WITH LOGIN CREATEROLE NOCREATEDB REPLICATION',
    ],
    [
      '4 one differs',
      postgres.setOptions('u', postgres.DEFAULT_OPTIONS, { ...postgres.DEFAULT_OPTIONS, login: false })?.text,
      'ALTER ROLE "u" WITH NOLOGIN',
    ],
    ['4 none differs', postgres.setOptions('u', postgres.DEFAULT_OPTIONS, postgres.DEFAULT_OPTIONS)?.text, undefined],
    ['7', postgres.grantRoles(['a', 'B'], 'u').text, 'GRANT "a", "B" TO "u"'],
    ['8', postgres.revokeRoles(['a', 'B'], 'u').text, 'REVOKE "a", "B" FROM "u"'],
    ['delete', postgres.dropUser('u').text, 'DROP USER IF EXISTS "u"'],
  ];
  test.each(rows)('row %s', (_, text, expected) => expect(text).toBe(expected));
});

test('after the changes, what is there is what is desired', () => {
  fc.assert(fc.property(fc.array(fc.string()), fc.array(fc.string()), (current, desired) => {
    const { add, remove } = changesBetween(current, desired);
    const after = new Set([...current.filter((name) => !remove.includes(name)), ...add]);
    expect(after).toEqual(new Set(desired));
    expect(add.filter((name) => current.includes(name))).toEqual([]);
  }));
});

test('no attempt is left out, and every problem is reported', async () => {
  const done: number[] = [];
  const attempt = (number: number, fails: boolean) => async () => {
    done.push(number);
    if (fails) throw new Error(`no ${number}`);
  };
  const all = allOf(
    [attempt(1, true), attempt(2, false), attempt(3, true)],
    (problems) => new Error(problems.map(({ message }) => message).join('; ')),
  );
  await expect(all).rejects.toThrow('no 1; no 3');
  expect(done).toEqual([1, 2, 3]);
});

test('a secret is in no error, in whatever form the server repeats it', () => {
  fc.assert(
    fc.property(
      hostile.filter((text) => text.trim().length >= 4 && !text.includes('*')),
      fc.constantFrom('plain', 'doubled', 'mysql', 'postgres'),
      (secret, form) => {
        const forms = {
          plain: secret,
          doubled: secret.replaceAll("'", "''"),
          mysql: format('?', [secret]),
          postgres: postgres.literal(secret),
        };
        const said = redacted(new Error(`refused: <${forms[form]}>`), [secret]);
        expect(said).not.toContain(secret.replace(/\s+/g, ' ').trim());
      },
    ),
  );
});

test.each([
  [Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new Error('Could not connect', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) }), 'Could not connect (ENOTFOUND)'],
  ['a text', 'a text'],
])('an error always says something: %s', (error, expected) => expect(redacted(error, [])).toBe(expected));
