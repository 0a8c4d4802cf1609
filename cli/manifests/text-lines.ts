/** Offsets of one text in another one, which has the same lines but for some. */
export function offsetsBetween(text: string, other: string, lineAt: (offset: number) => number): {
  offsetInFile(offset: number): number | undefined;
  /** Where the line of a character begins, and where it ends. */
  lineFrom(offset: number): number;
  lineTo(offset: number): number;
} {
  const [lines, otherLines] = [text, other].map((one) => one.split('\n'));
  const [starts, otherStarts] = [lines!, otherLines!].map((ones) => {
    let start = 0;
    return ones.map((line) => {
      const own = start;
      start += line.length + 1;
      return own;
    });
  });
  const lineFrom = (offset: number) => otherStarts![lineAt(offset) - 1]!;
  return {
    offsetInFile: (offset) => {
      const index = lineAt(offset) - 1;
      const column = offset - starts![index]!;
      return column === 0 || lines![index] === otherLines![index] ? otherStarts![index]! + column : undefined;
    },
    lineFrom,
    lineTo: (offset) => lineFrom(offset) + otherLines![lineAt(offset) - 1]!.length,
  };
}

/** Line of a character of a text, counted from 1. */
export function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
