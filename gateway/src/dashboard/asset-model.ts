import { type Connection, Schema } from 'mongoose';

/** A file of the dashboard's pages, of one build. Its id is its name, which holds a hash of the content. */
export type AssetDocument = {
  _id: string;
  body: Buffer;
  /** when it is deleted, unless a gateway stores it again */
  expires_at: Date;
};

const assetSchema = new Schema<AssetDocument>(
  {
    _id: { type: String, required: true },
    body: { type: Buffer, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'dashboard_assets', versionKey: false },
).index({ expires_at: 1 });

export function createAssetModel(connection: Connection) {
  return connection.model('DashboardAsset', assetSchema);
}
