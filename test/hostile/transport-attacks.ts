import type { AttackOnPart } from './platform-attacks';

const BODIES = 'engine/http/bounded-client.test.ts';
const AUTHORITY = 'engine/credentials/hostile-authority.test.ts';
const FILES = 'engine/credentials/token-credential.test.ts';
const KUBERNETES = 'engine/kubernetes/hostile-server.test.ts';
const DATABASES = 'controller/databases/hostile-servers.test.ts';

/** Attacks on requests that the tests of their part try, for every library that makes requests. */
export const TRANSPORT_ATTACKS: readonly AttackOnPart[] = [
  {
    who: 'any server',
    what: 'sends gzip that does not go on, nothing but empty gzip, or no headers',
    holds: 'the request ends at its limits, and its connection is closed',
    test: [BODIES, 'a packed body that does not go on'],
  },
  {
    who: 'a tenant whose credential names an authority of its own',
    what: 'answers the question for its endpoints with a hostile body',
    holds: 'there is no token, and the reason is given',
    test: [AUTHORITY, 'in the place of the endpoints of an authority'],
  },
  {
    who: 'a tenant whose credential names an authority of its own',
    what: 'names the metadata endpoint of the node as its token endpoint',
    holds: 'no request is sent there',
    test: [AUTHORITY, 'an authority that names a token endpoint at another host'],
  },
  {
    who: 'a tenant whose credential names an authority of its own',
    what: 'gives a token of 64 KiB',
    holds: 'it is not kept',
    test: [AUTHORITY, 'a token that fits into no header'],
  },
  {
    who: 'a tenant',
    what: 'names a file of 300 MB as the identity file of its credential',
    holds: 'it is not read',
    test: [FILES, 'is not read with %s in it'],
  },
  {
    who: 'an API server, or a proxy before it',
    what: 'sends hostile bodies, or a line of a watch without end',
    holds: 'there is no answer, and the reason is given',
    test: [KUBERNETES, 'a line of a watch that does not end'],
  },
  {
    who: 'a database server (PostgreSQL, MySQL, Azure SQL)',
    what: 'sends a message without end, before the login and in it',
    holds: 'the session ends at 4 MiB, and its connection is closed',
    test: [DATABASES, 'a message without end in the place of the greeting'],
  },
  {
    who: 'a database server (PostgreSQL, MySQL, Azure SQL)',
    what: 'sends a byte now and then, or cuts the connection in the middle of a message',
    holds: 'the session ends at its time limit, or at once',
    test: [DATABASES, 'a message of which a byte comes now and then'],
  },
  {
    who: 'a database server',
    what: 'does not close the connection',
    holds: 'it is cut off after 5 s',
    test: [DATABASES, 'that does not close is cut off'],
  },
  {
    who: 'a gateway of Azure SQL',
    what: 'sends the login on to a host that is none of its cloud',
    holds: 'the login is not sent there',
    test: [DATABASES, 'a login for %s is sent on to %s'],
  },
];
