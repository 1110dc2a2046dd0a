using System.Buffers;
using System.Buffers.Binary;

namespace BufferedMessages;

/// <summary>A visitor that writes the values of a message, its nulls and its collections in the order of the schema, so that equal content gives equal bytes.</summary>
/// <param name="content">The buffer to write to.</param>
internal sealed class ContentVisitor(ArrayBufferWriter<byte> content) : SchemaVisitor
{
    private const byte NullMark = 0;
    private const byte MessageMark = 1;
    private const byte CollectionMark = 2;
    private const byte BytesMark = 3;
    private const byte CaseMark = 4;
    private const int MarkBytes = 1 + sizeof(int);

    /// <summary>Whether there is a case of a union whose content the schema does not describe.</summary>
    public bool HasUnknownCase { get; private set; }

    public override void BeginCase(int number, string name) => Mark(CaseMark, number);

    public override void UnknownCase(int number, int position, int bytes) => HasUnknownCase = true;

    public override void Null() => Mark(NullMark, 0);

    public override void BeginMessage() => Mark(MessageMark, 0);

    public override void BeginList(int count) => Mark(CollectionMark, count);

    public override void BeginDictionary(int count) => Mark(CollectionMark, count);

    public override void Value(SchemaValue kind, int position, ReadOnlySpan<byte> bytes) => Append(bytes);

    public override void Text(int position, ReadOnlySpan<byte> utf8) => Append(utf8);

    public override void Binary(int position, ReadOnlySpan<byte> bytes) => Append(bytes);

    private void Append(ReadOnlySpan<byte> bytes)
    {
        Mark(BytesMark, bytes.Length);
        content.Write(bytes);
    }

    private void Mark(byte mark, int count)
    {
        var span = content.GetSpan(MarkBytes);
        span[0] = mark;
        BinaryPrimitives.WriteInt32LittleEndian(span[1..], count);
        content.Advance(MarkBytes);
    }
}
