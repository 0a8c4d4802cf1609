/** The exit status of a command, and its texts on the standard output and error of this process. */
export async function capture(command) {
  const streams = [process.stdout, process.stderr];
  const texts = streams.map((stream) => {
    const chunks = [];
    stream.write = (chunk) => chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()) > 0;
    return chunks;
  });
  let status;
  try {
    status = await command();
  } catch (error) {
    status = 1;
    process.stderr.write(`${String(error.stack)}\n`);
  } finally {
    // The method of the prototype shows again.
    for (const stream of streams) delete stream.write;
  }
  const [out = '', err = ''] = texts.map((chunks) => chunks.join(''));
  return { status, out, err };
}
