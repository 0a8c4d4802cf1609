import { conversionResponse } from './conversion-response';
import { preparedReview, type ReviewExpressions } from './reviews';
import { ByteBudget } from '../../runtime/webhooks/byte-budget';
import { webhookLimits, type WebhookLimits } from '../../runtime/webhooks/limits';
import { parsed } from '../../runtime/webhooks/review';
import { checkNesting } from '../../runtime/webhooks/review-splitter';
import { WebhookServer, type WebhookRoute, type WebhookServerOptions } from '../../runtime/webhooks/webhook-server';
import { Catalog, type KindVersion } from '../../src/catalog';
import { CONVERSION_PATH, webhookPath, type WebhookPurpose } from '../../src/catalog/webhook-configurations';
import { groupOfService } from '../../src/util/api-groups';

const PURPOSES = ['mutate', 'validate'] as const;

export interface AdmissionServerOptions extends Omit<WebhookServerOptions, 'limits' | 'routes'> {
  readonly catalog?: Catalog;
  /** Default: by the memory limit of the container. */
  readonly limits?: Partial<WebhookLimits>;
  /** How expressions are checked. Default: in this thread. */
  readonly expressions?: ReviewExpressions | undefined;
}

/**
 * The server of the webhooks of all kinds of the catalog.
 *
 * @throws ListenError
 */
export function listenForReviews(
  { catalog = Catalog.default(), limits, expressions, ...options }: AdmissionServerOptions,
): Promise<WebhookServer> {
  const all = { ...webhookLimits(), ...limits };
  return WebhookServer.listen({ ...options, limits: all, routes: routesOf(catalog, all, expressions) });
}

function routesOf(catalog: Catalog, limits: WebhookLimits, expressions?: ReviewExpressions): WebhookServerOptions['routes'] {
  const [admissions, conversions] = [new ByteBudget(limits.admissionBytesInFlight), new ByteBudget(limits.conversionBytesInFlight)];
  const convert = (body: Buffer) => conversionResponse(body, limits.depth, catalog);
  const conversion: WebhookRoute = { handle: convert, limitBytes: limits.conversionBytes, budget: conversions };
  const routeOf = (purpose: WebhookPurpose, version: KindVersion): WebhookRoute => ({
    handle: async (body) => {
      checkNesting(body, limits.depth);
      return [Buffer.from(JSON.stringify(await preparedReview(purpose, version, parsed(body.toString('utf8')), expressions)))];
    },
    limitBytes: limits.admissionBytes,
    budget: admissions,
  });
  return new ReviewRoutes(catalog, conversion, routeOf);
}

/** The paths of the webhooks. A service of the catalog is read at the first request for one of its kinds. */
class ReviewRoutes {
  private readonly routes: Map<string, WebhookRoute>;
  private readonly unread: Map<string, string>;

  public constructor(
    private readonly catalog: Catalog,
    conversion: WebhookRoute,
    private readonly routeOf: (purpose: WebhookPurpose, version: KindVersion) => WebhookRoute,
  ) {
    this.routes = new Map([[CONVERSION_PATH, conversion]]);
    this.unread = new Map(catalog.services.map((service) => [service, `-${groupOfService(service).replaceAll('.', '-')}-`]));
  }

  public get(path: string): WebhookRoute | undefined {
    const known = this.routes.get(path);
    if (known) return known;
    for (const [service, group] of this.unread) {
      if (PURPOSES.some((purpose) => path.startsWith(`/${purpose}${group}`))) this.read(service);
    }
    return this.routes.get(path);
  }

  private read(service: string): void {
    this.unread.delete(service);
    const versions = this.catalog.kindsOf(service).flatMap((kind) => kind.versionNames.map((name) => kind.version(name)!));
    for (const version of versions) {
      for (const purpose of PURPOSES) this.routes.set(webhookPath(purpose, version), this.routeOf(purpose, version));
    }
  }
}
