namespace BufferedMessages.Wire;

/// <summary>The rules of the wire format that a message can break, as sentences without a full stop.</summary>
internal static class WireRule
{
    public const string TooShort = "it is shorter than a header and a block";
    public const string Header = "its version or its flags are unknown; if a newer program wrote it, update the BufferedMessages package";
    public const string TotalBytes = "its size is not a multiple of 8, or larger than the given bytes";
    public const string RootBlock = "its root block is empty, or larger than the message";
    public const string Payload = "a slot points outside of the message, or back into the block that holds it";
    public const string Case = "a union has a case of number 0";
    public const string InlineLength = "an inline string or binary is longer than 7 bytes";
    public const string List = "a list reaches beyond the end of the message";
    public const string MessageListHeader = "a list of messages has empty blocks or unknown flags";
    public const string Order = "payloads overlap, or are not in the order of their slots";
    public const string DictionaryHeader = "a dictionary has a header that does not point to its values";
    public const string SetHeader = "a set has a header that points to values";
    public const string BucketRange = "a dictionary or set has a bucket that is not inside of it";
    public const string NullKey = "a key of a dictionary or set is null";
    public const string EqualKeys = "a dictionary or set holds a key twice";
    public const string ChangedText = "a string changed while it was read";

    public const string NullRoot = "a message that is a union holds no case";
    public const string Outside = "a payload reaches beyond the end of the message";
    public const string Alignment = "a payload is not aligned";
    public const string Gap = "a payload does not follow the one before directly";
    public const string GapBytes = "bytes between payloads are not zero";
    public const string Tail = "bytes after the last payload are not zero, or too many";
    public const string BlockSize = "a block is not of the size that its type has";
    public const string Hole = "bytes or bits of a block that belong to no member are not zero";
    public const string NestedSlot = "the slot of a nested message or a union has an empty block, or bits that must be zero";
    public const string UnknownCase = "a union has a case that its type does not have";
    public const string InlineBytes = "bytes after an inline string or binary are not zero";
    public const string NotInline = "a string or binary of up to 7 bytes is not stored in its slot";
    public const string EmptyList = "an empty list, set or dictionary has a payload";
    public const string Text = "a string is not UTF-8";
    public const string Bool = "a bool is neither 0 nor 1";
    public const string Absent = "a value that is null is not zero";
    public const string AbsentMessage = "the block of a null message is not zero";
    public const string Padding = "padding in a struct is not zero";
    public const string BitmapEnd = "bits or bytes after the presence bits of a list are not zero";
    public const string NeedlessBitmap = "a list of messages without a null has presence bits";
    public const string KeyOrder = "the keys of a dictionary or set are not in order";
    public const string Buckets = "the buckets of a dictionary or set do not fit its keys";
    public const string BucketsEnd = "bytes after the buckets of a dictionary or set are not zero";
    public const string Stack = "lists are nested too deep for the stack of this thread";

    public static readonly string Depth = $"messages are nested more than {WireFormat.MaxDepth} deep";

    /// <summary>The rule of a value that its CLR type cannot hold.</summary>
    public static string ValueOf(string type) => $"a value is outside of the range of {type}";

    /// <summary>The rule of a stored value that a converter of the user cannot convert.</summary>
    public static string Conversion(string member, string reason) => $"the converter of {member} refuses the stored value: {reason.TrimEnd('.')}";

    /// <inheritdoc cref="ValueOf(string)"/>
    public static string ValueOf<T>() => typeof(T) == typeof(bool) ? Bool : ValueOf(typeof(T).Name);
}
