namespace BufferedMessages.Sessions;

/// <summary>The flows, by the name that peers get.</summary>
internal static class Flow
{
    public const string Ring = "ring";
    public const string Bytes = "bytes";
    public const string Batches = "batches";
    public const string BatchesOneCommit = "batches-one-commit";
    public const string TradesOneField = "trades-one";
    public const string TradesAllFields = "trades-all";
    public const string ProtobufOneField = "protobuf-one";
    public const string ProtobufAllFields = "protobuf-all";

    /// <summary>Bytes of a message.</summary>
    public static int BytesOf(string flow, SessionOptions options) => flow switch
    {
        TradesOneField or TradesAllFields => Trade.Create().CalculateSize(),
        ProtobufOneField or ProtobufAllFields => ProtobufTrade.Create().CalculateSize(),
        _ => options.PayloadBytes,
    };

    public static FlowSource OpenSource(SessionOptions options, SharedMemory memory, MessageQueue? queue) => options.Flow switch
    {
        Ring => new RingSource(memory, options),
        Bytes => new BytesSource(queue!, options),
        Batches or BatchesOneCommit => new BatchSource(queue!, options),
        TradesOneField or TradesAllFields => new TradeSource(queue!),
        ProtobufOneField or ProtobufAllFields => new ProtobufSource(queue!),
        _ => throw new ArgumentException($"'{options.Flow}' is not a flow."),
    };

    public static FlowSink OpenSink(SessionOptions options, SharedMemory memory, MessageQueue? queue) => options.Flow switch
    {
        Ring => new RingSink(memory, options),
        Bytes or Batches => new BytesSink(queue!, options, options.MessagesPerCommit),
        BatchesOneCommit => new BytesSink(queue!, options, BatchSource.MessagesPerBatch),
        TradesOneField => new TradeSink(queue!, options),
        TradesAllFields => new WholeTradeSink(queue!, options),
        ProtobufOneField => new ProtobufSink(queue!, options),
        ProtobufAllFields => new WholeProtobufSink(queue!, options),
        _ => throw new ArgumentException($"'{options.Flow}' is not a flow."),
    };
}
