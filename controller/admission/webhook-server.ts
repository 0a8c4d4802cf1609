import { conversionResponse } from './conversion-response';
import { preparedReview, type ReviewExpressions } from './reviews';
import { ByteBudget } from '../../runtime/webhooks/byte-budget';
import { webhookLimits, type WebhookLimits } from '../../runtime/webhooks/limits';
import { parsed } from '../../runtime/webhooks/review';
import { checkNesting } from '../../runtime/webhooks/review-splitter';
import { WebhookServer, type WebhookRoute, type WebhookServerOptions } from '../../runtime/webhooks/webhook-server';
import { Catalog, type KindVersion } from '../../src/catalog';
import { CONVERSION_PATH, webhookPath, type WebhookPurpose } from '../../src/catalog/webhook-configurations';

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

function routesOf(catalog: Catalog, limits: WebhookLimits, expressions?: ReviewExpressions): ReadonlyMap<string, WebhookRoute> {
  const [admissions, conversions] = [new ByteBudget(limits.admissionBytesInFlight), new ByteBudget(limits.conversionBytesInFlight)];
  const convert = (body: Buffer) => conversionResponse(body, limits.depth, catalog);
  const conversion: WebhookRoute = { handle: convert, limitBytes: limits.conversionBytes, budget: conversions };
  const routes = new Map([[CONVERSION_PATH, conversion]]);
  const add = (purpose: WebhookPurpose, version: KindVersion) => {
    const handle = async (body: Buffer) => {
      checkNesting(body, limits.depth);
      return [Buffer.from(JSON.stringify(await preparedReview(purpose, version, parsed(body.toString('utf8')), expressions)))];
    };
    routes.set(webhookPath(purpose, version), { handle, limitBytes: limits.admissionBytes, budget: admissions });
  };
  for (const kind of catalog.allKinds) {
    for (const name of kind.versionNames) {
      add('mutate', kind.version(name)!);
      add('validate', kind.version(name)!);
    }
  }
  return routes;
}
