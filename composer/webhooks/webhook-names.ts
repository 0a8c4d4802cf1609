/** URL path of conversions. */
export const CONVERSION_PATH = '/convert';
/** URL path of reviews of claims. */
export const ADMISSION_PATH = '/admit';
/** Port of the composer's container. The Service has 443. */
export const WEBHOOK_PORT = 9443;

/** The Secret with the certificate of a composer's webhooks. */
export function webhookSecret(composer: string): string {
  return `${composer}-webhook-certificate`;
}

/** The Service of a composer's webhooks: at most 63 characters. */
export function webhookService(composer: string): string {
  return `${composer.slice(0, 63 - '-webhooks'.length)}-webhooks`;
}
