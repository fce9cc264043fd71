/** What `AsyncLocalStorage` is to a framework that runs one test at a time. */
export class CurrentStore {
  #store;

  getStore() {
    return this.#store;
  }

  /** Has a store until what the callback began is over. */
  async run(store, callback) {
    const before = this.#store;
    this.#store = store;
    try {
      return await callback();
    } finally {
      this.#store = before;
    }
  }
}
