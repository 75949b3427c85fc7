/** One thing at a time: what is begun puts an end to what was, so that no late answer comes over a newer one. */
export class Lane {
  #controller = new AbortController();

  /**
   * @param {(signal: AbortSignal) => Promise<void>} work
   * @param {(error: unknown) => void} failed told unless the work was put an end to.
   */
  async run(work, failed) {
    this.stop();
    const { signal } = (this.#controller = new AbortController());
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  stop() {
    this.#controller.abort();
  }
}
