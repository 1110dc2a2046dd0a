namespace BufferedMessages.Queues;

/// <summary>The bytes that an inspection looks at, besides the tables and the headers of all records.</summary>
/// <param name="Checksums">Whether the checksums of records and properties are compared.</param>
/// <param name="Messages">Whether each message is verified by the schema, and each value by its size.</param>
internal readonly record struct InspectionDepth(bool Checksums, bool Messages);
