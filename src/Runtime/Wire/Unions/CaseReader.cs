using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>The case that a union holds: its number and its block. A message that is not a union is a case without a number. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct CaseReader
{
    /// <summary>Creates the case of a message that is not a union.</summary>
    /// <param name="block">Its block; the default one if it is null.</param>
    public CaseReader(BlockReader block)
        : this(block, number: 0)
    {
    }

    internal CaseReader(BlockReader block, ushort number)
    {
        Block = block;
        Number = number;
    }

    /// <summary>Gets whether the union or the message is null.</summary>
    public bool IsNull => Block.IsNull;

    /// <summary>Gets the number of the case; 0 if the union is null, and for a message that is not a union.</summary>
    public ushort Number { get; }

    /// <summary>The block of the case.</summary>
    internal BlockReader Block { get; }

    /// <summary>Checks the header of a message whose root is a union, and returns the root's case.</summary>
    /// <param name="message">The message, at any alignment; bytes after its end are ignored.</param>
    /// <exception cref="MalformedMessageException">The bytes do not start with the header of a whole message, or its root breaks a rule.</exception>
    public static CaseReader OfMessage(ReadOnlySpan<byte> message) => OfRoot(BlockReader.OfMessage(message));

    /// <summary>Returns the case of a message whose root is a union.</summary>
    /// <param name="root">The root block, which holds only the union's slot.</param>
    /// <exception cref="MalformedMessageException">The slot breaks a rule.</exception>
    public static CaseReader OfRoot(BlockReader root) => root.ReadCase(0);

    /// <summary>Describes the case for the debugger.</summary>
    public override string ToString() => IsNull ? "null" : $"case {Number}, {Block.ToString()}";
}
