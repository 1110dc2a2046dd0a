namespace BufferedMessages.Samples.QuickStart;

/// <summary>Files and bytes of an extension, as of the message with a number.</summary>
internal struct ExtensionCount
{
    public long Number;
    public long Files;
    public long Bytes;
}
