import type { Model } from 'mongoose';

const documentsPerWrite = 1000;

/** `castObject` is not called. Its type names the documents of the model, so that the compiler checks those inserted. */
type ModelOf<Document> = Pick<Model<Document>, 'collection' | 'castObject'>;

/** Inserts a document for each item, in large batches and without casting values. */
export async function insertDocuments<Document, Item>(
  model: ModelOf<Document>,
  items: readonly Item[],
  toDocument: (item: Item) => NoInfer<Document>,
): Promise<void> {
  for (let start = 0; start < items.length; start += documentsPerWrite) {
    const documents = items.slice(start, start + documentsPerWrite).map(toDocument);
    await model.collection.insertMany(documents as object[], { ordered: false });
  }
}
