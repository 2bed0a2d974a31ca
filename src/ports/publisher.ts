// A public network in which anyone finds a file by an id made of its bytes. What was published cannot be taken back.

export type Publisher = {
  /** The CID, which follows from the bytes; published again they are the same file. Throws when the node did not take them. */
  publish(bytes: Uint8Array): Promise<string>
}
