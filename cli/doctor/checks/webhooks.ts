import { X509Certificate } from 'node:crypto';
import { WEBHOOK_SECRET, WEBHOOK_SERVICE } from '../../../src/catalog/webhook-configurations';
import { isRecord, member, text } from '../../../src/util/records';
import { counted } from '../../../src/util/words';
import type { ClusterFacts } from '../facts';
import type { Finding } from '../finding';

const DAY = 86_400_000;
const SOON_DAYS = 14;

/** One place that names the webhook server: a CRD's conversion, or a webhook. */
interface Use {
  readonly title: string;
  readonly service: string;
  readonly caBundle: string;
}

/** Whether the webhooks that the API server is told to call can be called, and trusted. */
export function webhookFindings(facts: ClusterFacts): Finding[] {
  const uses = usesOf(facts);
  return [...serviceFindings(uses, facts), ...authorityFindings(uses, facts), ...certificateFindings(facts), ...missing(facts)];
}

function usesOf({ crds, webhookConfigurations }: ClusterFacts): Use[] {
  const conversions = crds.flatMap(({ name, conversion, isLabelled }) => (conversion && isLabelled
    ? [{ title: `CRD ${name}`, service: `${conversion.namespace}/${conversion.service}`, caBundle: conversion.caBundle }]
    : []));
  const admissions = webhookConfigurations.flatMap((configuration) => {
    const webhooks = member(configuration, 'webhooks');
    return (Array.isArray(webhooks) ? webhooks : []).filter(isRecord).flatMap((webhook) => {
      const client = webhook.clientConfig;
      const service = member(client, 'service');
      const named = `${text(service, 'namespace') ?? ''}/${text(service, 'name') ?? ''}`;
      if (text(service, 'name') !== WEBHOOK_SERVICE) return [];
      return [{ title: `${configuration.kind} ${configuration.metadata.name}`, service: named, caBundle: text(client, 'caBundle') ?? '' }];
    });
  });
  return [...conversions, ...admissions];
}

function serviceFindings(uses: readonly Use[], { endpoints, unread }: ClusterFacts): Finding[] {
  if (unread.some(({ text: line }) => line.startsWith('endpointslices'))) return [];
  const services = new Map<string, Use[]>();
  for (const use of uses) services.set(use.service, [...(services.get(use.service) ?? []), use]);
  return [...services].flatMap(([service, of]): Finding[] => {
    const ready = endpoints.get(service);
    if (ready !== undefined && ready > 0) return [];
    const what = ready === undefined ? 'does not exist, or has no endpoints' : 'has no ready pod behind it';
    return [{
      id: 'webhook-unreachable',
      severity: 'error',
      object: `Service ${service}`,
      message: `${what}; ${counted(of.length, 'place')} name it, the first is ${of[0]?.title ?? ''}: reads and writes of these kinds fail, garbage collection and the deletion of namespaces too`,
      cure: 'start the controller that serves the webhooks; if it is gone for good, migrate the CRDs, or remove the webhook configurations',
    }];
  });
}

function authorityFindings(uses: readonly Use[], { certificates }: ClusterFacts): Finding[] {
  const empty = uses.filter(({ caBundle }) => caBundle === '');
  const found: Finding[] = empty.length === 0 ? [] : [{
    id: 'webhook-authority-missing',
    severity: 'error',
    object: empty[0]?.title ?? '',
    message: `has no caBundle${empty.length > 1 ? `, and neither have ${counted(empty.length - 1, 'other')}` : ''}: the API server does not trust the webhook`,
    cure: 'wait until the controller or cert-manager has injected it; if it does not come, see whether cert-manager (cainjector) runs, or the log of the controller',
  }];
  const other = uses.filter(({ service, caBundle }) => {
    const certificate = certificates.get(`${service.split('/')[0] ?? ''}/${WEBHOOK_SECRET}`);
    return caBundle !== '' && certificate !== undefined && !isTrusted(certificate, caBundle);
  });
  if (other.length === 0) return found;
  return [...found, {
    id: 'webhook-authority-other',
    severity: 'error',
    object: other[0]?.title ?? '',
    message: `has the caBundle of another authority than the certificate of the webhooks${other.length > 1 ? `, as ${counted(other.length - 1, 'other')}` : ''}`,
    cure: `delete Secret ${WEBHOOK_SECRET} so that certificate and authority are made anew, or restart cert-manager's cainjector`,
  }];
}

/** Whether one of the authorities has issued the certificate. Unreadable ones count as another authority. */
function isTrusted(certificate: string, caBundle: string): boolean {
  try {
    const leaf = new X509Certificate(certificate);
    const bundle = Buffer.from(caBundle, 'base64').toString('utf8');
    const authorities = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    return authorities.some((pem) => {
      const authority = new X509Certificate(pem);
      return leaf.checkIssued(authority) && leaf.verify(authority.publicKey);
    });
  } catch {
    return false;
  }
}

function certificateFindings({ certificates, now }: ClusterFacts): Finding[] {
  return [...certificates].flatMap(([name, pem]): Finding[] => {
    const object = `Secret ${name}`;
    if (pem === undefined) {
      return [{
        id: 'certificate-missing',
        severity: 'error',
        object,
        message: 'has no certificate: the webhooks are not served',
        cure: 'see whether cert-manager runs (kubectl get certificate -A), or the log of the controller',
      }];
    }
    const until = validUntil(pem);
    if (until === undefined) {
      return [{ id: 'certificate-unreadable', severity: 'error', object, message: 'tls.crt is no certificate', cure: 'delete the Secret: it is made anew' }];
    }
    const days = Math.floor((until - now) / DAY);
    if (days >= SOON_DAYS) return [];
    return [{
      id: days < 0 ? 'certificate-expired' : 'certificate-expires',
      severity: days < 0 ? 'error' : 'warning',
      object,
      message: days < 0 ? `expired ${counted(-days, 'day')} ago` : `expires in ${counted(days, 'day')}`,
      cure: 'a controller that runs replaces one that has expired within half a minute: see its log; with --webhook-cert-dir, see why cert-manager does not renew it',
    }];
  });
}

function validUntil(pem: string): number | undefined {
  try {
    return Date.parse(new X509Certificate(pem).validTo);
  } catch {
    return undefined;
  }
}

/** A controller with webhooks whose configuration is not there: defaults and refusals come as conditions, or not at all. */
function missing({ controllers, webhookConfigurations, crds }: ClusterFacts): Finding[] {
  const serving = controllers.filter(({ mode, arguments: args }) => mode !== 'watchers' && !args.includes('--webhook-port=0'));
  const has = webhookConfigurations.some((configuration) => {
    const webhooks = member(configuration, 'webhooks');
    return (Array.isArray(webhooks) ? webhooks : []).some((webhook) => text(member(member(webhook, 'clientConfig'), 'service'), 'name') === WEBHOOK_SERVICE);
  });
  if (serving.length === 0 || has || !crds.some(({ isLabelled }) => isLabelled)) return [];
  return serving.map(({ namespace, deployment }): Finding => ({
    id: 'webhooks-missing',
    severity: 'warning',
    object: `Deployment ${namespace}/${deployment ?? ''}`,
    message: 'serves webhooks, but no webhook configuration names them: changes of write-once fields are not refused, and names are not filled in',
    cure: 'apply the rest of the installation: the MutatingWebhookConfiguration and the ValidatingWebhookConfiguration',
  }));
}
