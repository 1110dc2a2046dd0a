using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>Extensions that give the writers of nested messages and lists. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class BlockBuilderExtensions
{
    /// <summary>Appends a list of strings and returns its writer.</summary>
    /// <exception cref="ArgumentException">Its slots do not fit.</exception>
    /// <exception cref="InvalidOperationException">The member is appended out of order.</exception>
    public static BufferedStringListWriter WriteStrings(this BlockBuilder block, int offset, int count, [CallerMemberName] string member = "") =>
        new(block.AppendSlots(offset, count, member), count);

    /// <summary>Appends a nested message and returns its writer.</summary>
    /// <exception cref="ArgumentException">It does not fit.</exception>
    /// <exception cref="InvalidOperationException">The member is appended out of order.</exception>
    /// <exception cref="MessageTooDeepException">Messages are nested more than 64 deep.</exception>
    public static TWriter WriteMessage<TWriter>(this BlockBuilder block, int offset, [CallerMemberName] string member = "")
        where TWriter : IBufferedMessageWriter<TWriter>, allows ref struct
    {
        block.AppendBlock(offset, TWriter.BlockBytes, member);
        return block.ReadMessage<TWriter>(offset);
    }

    /// <summary>Appends a list of messages, none of them null, and returns their writers.</summary>
    /// <exception cref="ArgumentException">It does not fit.</exception>
    /// <exception cref="InvalidOperationException">The member is appended out of order.</exception>
    /// <exception cref="MessageTooDeepException">Messages are nested more than 64 deep.</exception>
    public static BufferedMessageListWriter<TWriter> WriteMessages<TWriter>(this BlockBuilder block, int offset, int count, [CallerMemberName] string member = "")
        where TWriter : IBufferedMessageWriter<TWriter>, allows ref struct
    {
        block.AppendBlocks(offset, count, TWriter.BlockBytes, member);
        return block.ReadMessages<TWriter>(offset);
    }

    /// <summary>Gets the writer of a nested message; null gives the default one.</summary>
    public static TWriter ReadMessage<TWriter>(this BlockBuilder block, int offset)
        where TWriter : IBufferedMessageWriter<TWriter>, allows ref struct
        => TWriter.Create(block.NestedOf(offset));

    /// <summary>Gets the writers of a list of messages.</summary>
    public static BufferedMessageListWriter<TWriter> ReadMessages<TWriter>(this BlockBuilder block, int offset)
        where TWriter : IBufferedMessageWriter<TWriter>, allows ref struct
        => new(block, offset);
}
