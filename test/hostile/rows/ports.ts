import { connect } from 'node:net';
import { BEAT_MS } from '../../setup/control-process';
import type { Attack } from '../attack';
import { pause } from '../team';
import { postMebibytes, review, slowConnections } from '../webhook-port';

const environment = { webhooks: true };
/** Of the default pod, in MiB. */
const MEMORY_LIMIT = 512;
/** The 10 s that the API server waits for a webhook by default. */
const API_SERVER_WAITS_BEATS = 10_000 / BEAT_MS;

/** The webhook port and the port of the probes. */
export const ports: readonly Attack[] = [
  {
    id: 'posts-of-200-mebibytes',
    who: 'anybody who reaches the webhook port',
    what: 'sends three bodies of 200 MiB at once',
    holds: 'they are refused, memory stays below the limit of the default pod, and reviews of others are answered meanwhile, sooner than the API server gives up',
    shares: true,
    environment,
    async run({ control, controller, webhookPort }) {
      const posts = Promise.all([1, 2, 3].map(() => postMebibytes(webhookPort, 200)));
      expect(await control.during(async () => expect(await review(webhookPort)).toBe(200))).toBeLessThan(API_SERVER_WAITS_BEATS);
      for (const refused of await posts) expect([0, 413, 429]).toContain(refused);
      expect(controller!.memory().most).toBeLessThan(MEMORY_LIMIT);
      expect(await review(webhookPort)).toBe(200);
    },
  },
  {
    id: 'slow-requests-at-the-webhook-port',
    who: 'anybody who reaches the webhook port',
    what: 'holds 800 connections open that say nothing, or begin a request and do not end it',
    holds: 'they make room: reviews of others are answered meanwhile, sooner than the API server gives up',
    shares: true,
    environment,
    async run({ control, webhookPort }) {
      const close = slowConnections(webhookPort, 800);
      await pause(2);
      for (let count = 0; count < 5; count += 1) {
        expect(await control.during(async () => expect(await review(webhookPort)).toBe(200))).toBeLessThan(API_SERVER_WAITS_BEATS);
      }
      close();
    },
  },
  {
    id: 'silent-connections-at-the-probes',
    who: 'anybody who reaches the port of the probes',
    what: 'holds 1,200 connections open that say nothing',
    holds: 'the probes are answered meanwhile',
    shares: true,
    environment,
    async run(shared) {
      const sockets = Array.from({ length: 1_200 }, () => connect(shared.healthPort, '127.0.0.1').on('error', () => undefined));
      await pause(2);
      expect(await shared.health('/healthz')).toMatchObject({ status: 200 });
      expect(await shared.health('/readyz')).toMatchObject({ status: 200 });
      sockets.forEach((socket) => socket.destroy());
    },
  },
];
