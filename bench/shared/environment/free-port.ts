import { freePorts } from '../../../test/e2e/servers';

/** A port on the loopback address that nothing listens on. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error('no port is free');
  return port;
}
