import { createHash } from 'node:crypto';
import type { Clock } from '../../engine/clock';
import type { KubernetesClient, KubernetesObject, ResourceType } from '../../engine/kubernetes/types';
import type { Answer } from '../../runtime/http/http-endpoints';

const TOKEN_REVIEWS: ResourceType = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'tokenreviews',
  kind: 'TokenReview',
  namespaced: false,
};
const ACCESS_REVIEWS: ResourceType = {
  group: 'authorization.k8s.io', version: 'v1', plural: 'subjectaccessreviews', kind: 'SubjectAccessReview', namespaced: false,
};
/** Scrapers come every few seconds; a revoked permission stays valid at most this long. Milliseconds. */
const KEPT = 10_000;
const MOST_KEPT = 1_000;
/** Reviews at a time: a flood of unknown tokens must not take the API server's turns from reconciles. Others wait in line. */
const MOST_ASKED = 4;
const MOST_IN_LINE = 100;

const BUSY: Answer = [503, 'text/plain', 'too many unknown tokens are sent; try again\n'];
const UNAUTHORIZED: Answer = [401, 'text/plain', 'unauthorized: send the bearer token of a Kubernetes user or service account\n'];

interface User {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Asks the cluster for the sender of a request and its permission to `get` the path: TokenReview and SubjectAccessReview
 * (https://kubernetes.io/docs/reference/access-authn-authz/authorization/). Answers are cached for a short time, but never refusals
 * caused by an error.
 */
export class AccessReview {
  private readonly known = new Map<string, { readonly until: number; readonly refusal: Answer | undefined }>();
  /** Reviews that are not answered yet: equal requests wait for the same one. */
  private running = 0;
  private readonly line: (() => void)[] = [];
  private readonly asked = new Map<string, Promise<Answer | undefined>>();

  public constructor(
    private readonly client: Pick<KubernetesClient, 'create'>,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** The refusal to answer with; undefined: the request is allowed. */
  public async refuse(path: string, authorization: string | undefined): Promise<Answer | undefined> {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return UNAUTHORIZED;
    // The token itself is not kept.
    const key = createHash('sha256').update(JSON.stringify([token, path])).digest('base64');
    const known = this.known.get(key);
    if (known && this.clock.now() < known.until) return known.refusal;
    const review = () => this.reviewed(key, token, path);
    // One that was allowed before does not stand behind strangers.
    const isAllowed = known !== undefined && known.refusal === undefined;
    const asked = this.asked.get(key) ?? (isAllowed ? review() : this.inLine(review)).finally(() => this.asked.delete(key));
    this.asked.set(key, asked);
    return asked;
  }

  private async reviewed(key: string, token: string, path: string): Promise<Answer | undefined> {
    try {
      const refusal = await this.review(token, path);
      this.keep(key, refusal);
      return refusal;
    } catch (error) {
      this.onError(error);
      return [500, 'text/plain', 'the cluster could not be asked who you are; the log of the controller has the reason\n'];
    }
  }

  /** Refused ones are forgotten first. */
  private keep(key: string, refusal: Answer | undefined): void {
    this.known.set(key, { until: this.clock.now() + KEPT, refusal });
    if (this.known.size <= MOST_KEPT) return;
    const [forgotten] = [...this.known].find(([, { refusal: given }]) => given) ?? [...this.known][0]!;
    this.known.delete(forgotten);
  }

  private async inLine(review: () => Promise<Answer | undefined>): Promise<Answer | undefined> {
    if (this.line.length >= MOST_IN_LINE) return BUSY;
    if (this.running < MOST_ASKED) this.running += 1;
    // The one before hands its place on.
    else await new Promise<void>((resolve) => this.line.push(resolve));
    try {
      return await review();
    } finally {
      const next = this.line.shift();
      if (next) next();
      else this.running -= 1;
    }
  }

  private async review(token: string, path: string): Promise<Answer | undefined> {
    const { authenticated, user } = (await this.ask(TOKEN_REVIEWS, { token })) as { authenticated?: boolean; user?: User };
    if (authenticated !== true || !user) return UNAUTHORIZED;
    const { username, uid, groups, extra } = user;
    const access = await this.ask(ACCESS_REVIEWS, { user: username, uid, groups, extra, nonResourceAttributes: { path, verb: 'get' } });
    if ((access as { allowed?: boolean }).allowed === true) return undefined;
    return [403, 'text/plain', `forbidden: ${username ?? 'this user'} needs the verb get on the nonResourceURL ${path}\n`];
  }

  private async ask(type: ResourceType, spec: Record<string, unknown>): Promise<Record<string, unknown>> {
    const review: KubernetesObject = { apiVersion: `${type.group}/${type.version}`, kind: type.kind, metadata: { name: '' }, spec };
    return (await this.client.create(type, review)).status ?? {};
  }
}
