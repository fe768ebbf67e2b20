// Reads the text format of Prometheus.

/** The value of a series, as it is written; 0 when there is none. */
export function metricOf(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}

/** All series that there are, without their values. */
export function seriesIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')));
}

/** Waits until so many further calls of the store have failed: a server looks for it again and again. */
export async function untilCallsFail(url: string, more: number): Promise<void> {
  const failed = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const counts = seriesIn(text).filter((series) =>
      /^kazahana_store_duration_seconds_count.*"failed"/.test(series),
    );
    return counts.reduce((sum, series) => sum + metricOf(text, series), 0);
  };
  const enough = (await failed()) + more;
  while ((await failed()) < enough) await new Promise((resolve) => setTimeout(resolve, 20));
}
