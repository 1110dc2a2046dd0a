using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>A program's type of the records of a queue: raw bytes, messages of a schema, or values of a struct.</summary>
/// <param name="Kind">One of these kinds.</param>
/// <param name="Text">The identity among others of its kind.</param>
/// <param name="Fingerprint">XXH64 of the text.</param>
/// <param name="Schema">The schema of messages; null for others.</param>
internal sealed record RecordContent(ContentKind Kind, string Text, ulong Fingerprint, MessageSchema? Schema)
{
    private const DynamicallyAccessedMemberTypes Fields = DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields;

    /// <summary>Raw bytes, in any format of the user's.</summary>
    public static RecordContent Raw { get; } = new(ContentKind.Raw, "", 0, Schema: null);

    /// <summary>Messages of a schema.</summary>
    public static RecordContent Messages(MessageSchema schema) => new(ContentKind.Message, schema.Text, schema.Fingerprint, schema);

    /// <summary>Values of an unmanaged type, identified by its size and its fields; the type's own name does not matter.</summary>
    public static RecordContent Values<[DynamicallyAccessedMembers(Fields)] T>()
        where T : unmanaged
    {
        var text = new StringBuilder($"value of {Unsafe.SizeOf<T>()} bytes\n");
        foreach (var field in typeof(T).GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic))
        {
            // Not the full name: that of a generic type holds the versions of assemblies.
            text.Append(field.FieldType).Append(' ').Append(field.Name).Append('\n');
        }

        return new RecordContent(ContentKind.Value, text.ToString(), XxHash64.Hash(Encoding.UTF8.GetBytes(text.ToString())), Schema: null);
    }
}

/// <summary>The kinds of content, as the control file numbers them.</summary>
internal enum ContentKind : uint
{
    Undecided,
    Raw,
    Message,
    Value,
}
