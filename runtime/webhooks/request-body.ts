import type { IncomingMessage } from 'node:http';
import type { ByteReservation } from './byte-budget';
import { RequestError } from './request-error';

const MEBIBYTE = 1024 * 1024;

/**
 * Reads the body of a request, up to the limit, as far as the budget has room for it.
 *
 * @throws RequestError
 */
export async function bodyOf(request: IncomingMessage, limit: number, reservation: ByteReservation): Promise<Buffer> {
  const tooLong = () => new RequestError(413, `the review is longer than ${formatMebibytes(limit)} MiB`);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLong();
  const chunks: Buffer[] = [];
  let length = 0;
  reservation.waitsForClient(() => request.destroy(new RequestError(429, 'the review was slow to come in, and others needed its room', 1)));
  try {
    // Leaving the loop would destroy the connection before the refusal is sent.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length;
      if (length > limit) throw tooLong();
      // Room is taken when bytes arrive, not when they are announced: an announcement costs the client nothing.
      if (!reservation.grow((chunk as Buffer).length)) {
        throw new RequestError(429, 'too many bytes of other reviews are being worked on', 1);
      }
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof RequestError) throw error;
    // The client is gone, so this answer is not read; the status records that the client ended the request.
    throw new RequestError(400, 'the connection ended before the review did');
  }
  reservation.isWorkedOn();
  return Buffer.concat(chunks);
}

function formatMebibytes(bytes: number): string {
  return String(Math.round((bytes / MEBIBYTE) * 10) / 10);
}
