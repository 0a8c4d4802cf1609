import type { Logger } from './log';
import type { InformerSetTelemetry, InformerTelemetry } from '../../engine/informers';

/** Logs what informers report: failures as such, everything else at level 3. */
export function logTelemetry(logger: Logger, event: InformerTelemetry | InformerSetTelemetry): void {
  switch (event.event) {
    case 'kind-served':
    case 'kind-gone':
      return logger.debug({ kind: event.resource.kind, group: event.resource.group, version: event.resource.version }, event.event);
    case 'discovery-failed':
    case 'handler-failed':
      return logger.error({ err: event.error }, event.event);
    case 'failed':
      return logger.warn(
        {
          resource: event.resource.plural,
          message: event.error.message,
          failures: event.failures,
          retryInMilliseconds: event.retryInMilliseconds,
        },
        'a watch failed',
      );
    case 'not-synced':
      return logger.error(
        { resources: event.resources.map(({ plural, group }) => `${plural}.${group}`) },
        'not all kinds are listed yet; objects that need them wait',
      );
    default:
      return logger.debug({ ...event, resource: 'resource' in event ? event.resource.plural : undefined }, 'informer');
  }
}
